import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const AGAIN_MS = 100;
/** Instead of a group: there is none left of those before. */
export const ALL_ENDED = 'ended';

/** How the processes of a server are known. */
export interface ServerSigns {
  /** `NAME=value`: a process hands its environment on to those that it starts, unless it writes a title over it. */
  readonly mark: string;
  /** Process groups that the server was started as. */
  readonly groups: ReadonlySet<number>;
}

/** A process that runs. */
export interface ServerProcess {
  readonly pid: number;
  /** Program and arguments, or the title that the process has given itself. */
  readonly line: string;
}

/** The processes of a server: those with its mark or in its groups, and all that these have started. */
export function findProcesses({ mark, groups }: ServerSigns): ServerProcess[] {
  const found = new Map<number, ServerProcess>();
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name), mark) : []));
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const { pid, parent, group, line, isMarked } of all)
      if (isMarked || groups.has(group) || found.has(parent)) found.set(pid, { pid, line });
  }
  return [...found.values()];
}

/** Kills those whose line matches, and nothing else. @returns whether there was one */
export function killProcesses(signs: ServerSigns, pattern = /^/): boolean {
  const victims = findProcesses(signs).filter(({ line }) => pattern.test(line));
  for (const { pid } of victims) kill(pid);
  return victims.length > 0;
}

/** Kills until none is left: a process may start another while it is killed. */
export async function endProcesses(signs: ServerSigns): Promise<void> {
  while (killProcesses(signs)) await sleep(AGAIN_MS);
}

/** Nothing: it has ended meanwhile, or belongs to another user. */
function readProcess(pid: number, mark: string) {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  try {
    // `<pid> (<name>) <state> <parent> <group> ...`
    const [state, parent, group] = read('stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (state === 'Z') return [];
    const line = read('cmdline').replaceAll('\0', ' ');
    const isMarked = read('environ').split('\0').includes(mark);
    return [{ pid, parent: Number(parent), group: Number(group), line, isMarked }];
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
