import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_MS = 100;

/** A process that runs. */
export interface MarkedProcess {
  readonly pid: number;
  /** Program and arguments. */
  readonly line: string;
}

/** The processes that have `mark`, which is `NAME=value`, in their environment: a process hands it on to those it starts. */
export function findMarked(mark: string): MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark)) return [];
        return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        return []; // it has ended meanwhile, or belongs to another user
      }
    });
}

/** Kills the marked processes whose line matches, and nothing else. @returns whether there was one */
export function killMarked(mark: string, pattern = /^/): boolean {
  const victims = findMarked(mark).filter(({ line }) => pattern.test(line));
  for (const { pid } of victims) kill(pid);
  return victims.length > 0;
}

/** Kills until none is left: a process may start another while it is killed. */
export async function endMarked(mark: string): Promise<void> {
  while (killMarked(mark)) await sleep(AGAIN_MS);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
