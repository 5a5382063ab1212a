import { readdirSync, readFileSync } from 'node:fs';

/**
 * Microseconds of processor time that the threads of a process have used: like `process.cpuUsage()`, but of another
 * process and to the nanosecond. Absent where there is no `/proc/<pid>/task/<tid>/schedstat`.
 */
export function cpuMicroseconds(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + nanoseconds(`/proc/${pid}/task/${thread}/schedstat`), 0) / 1_000;
  } catch {
    return undefined;
  }
}

const nanoseconds = (file) => Number(readFileSync(file, 'utf8').split(' ', 1)[0]);

/** Runs `work`; returns its duration and the process's CPU time meanwhile. */
export async function timed(pid, work) {
  const before = cpuMicroseconds(pid);
  const begin = performance.now();
  const result = await work();
  const ms = performance.now() - begin;
  const cpuUs = before === undefined ? undefined : cpuMicroseconds(pid) - before;
  return { result, ms, cpuUs };
}
