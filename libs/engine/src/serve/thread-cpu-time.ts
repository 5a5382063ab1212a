import { readFileSync, readlinkSync } from 'node:fs';

/** The kernel's clock tick in this file: 100 a second on every Linux that Node.js runs on. Source: proc_pid_stat(5). */
const TICK_MS = 10;
/** Fields after the name, which may hold blanks and ends with the last bracket: utime and stime are fields 14 and 15. */
const UTIME = 11;

/** Id that the kernel gives the thread that asks; null: not Linux. Source: proc_thread-self(5). */
export function ownTaskId(): number | null {
  try {
    return Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1] ?? NaN) || null;
  } catch {
    return null;
  }
}

/** CPU time that a thread of this process has used; null: it has ended, or this system does not say. */
export function cpuMsOf(taskId: number | null): number | null {
  if (taskId === null) return null;
  try {
    const text = readFileSync(`/proc/self/task/${taskId}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * TICK_MS;
  } catch {
    return null;
  }
}
