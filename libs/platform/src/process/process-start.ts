/** `@hone/platform/process-start`: for processes that are no Nest service and should not load it. */
import { readFileSync } from 'node:fs';

/** Of the fields after the name of the program, `starttime` is the 20th. Source: proc(5). */
const START_FIELD = 19;

/**
 * When a process started, in the system's own count: it distinguishes a process from an older one with the same id.
 * Where there is no `/proc` it is a constant: then every process of that id is taken for the old one.
 *
 * @returns null when there is no process of this id
 */
export function processStart(pid: number): string | null {
  try {
    if (process.platform !== 'linux') return String(process.kill(pid, 0));
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? null;
  } catch {
    return null;
  }
}
