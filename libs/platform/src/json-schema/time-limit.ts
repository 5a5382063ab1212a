import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

const LIMIT_MS = 250;
/** Of the thread's own time: the rest of a try is what the machine takes for other work. */
const CUT_AFTER_MS = 200;
const MOST_TRIES = 10;

/** The work was aborted at its time limit. */
export class TimeLimitError extends Error {}

const sandbox: { work?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Runs synchronous work that a client shaped, and cuts it off after 250 ms: a schema may take exponential time or
 * recurse without end. On a busy machine, work that waited for a processor most of these is begun again.
 *
 * @param work has no effect but its answer
 * @throws TimeLimitError it took too long, or too deep
 */
export function withinTimeLimit<T>(work: () => T): T {
  const beganMs = threadTimeMs();
  sandbox.work = work;
  try {
    for (let tries = 1; ; tries++) {
      try {
        return script.runInContext(context, { timeout: LIMIT_MS }) as T;
      } catch (error) {
        const isCut = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
        if (!isCut && !(error instanceof RangeError)) throw error;
        const isOver = !isCut || tries === MOST_TRIES || threadTimeMs() - beganMs >= CUT_AFTER_MS;
        if (isOver) throw new TimeLimitError('too long or too deep', { cause: error });
      }
    }
  } finally {
    delete sandbox.work;
  }
}

/** Milliseconds that a processor has worked for this thread; where the system does not tell, for the process. */
function threadTimeMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}
