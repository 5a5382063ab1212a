import { createContext, Script } from 'node:vm';

const LIMIT_MS = 250;

/** The work was aborted at its time limit. */
export class TimeLimitError extends Error {}

const sandbox: { work?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Runs synchronous work that a client shaped, and cuts it off after 250 ms: a schema may take exponential time or
 * recurse without end.
 *
 * @throws TimeLimitError it took too long, or too deep
 */
export function withinTimeLimit<T>(work: () => T): T {
  sandbox.work = work;
  try {
    return script.runInContext(context, { timeout: LIMIT_MS }) as T;
  } catch (error) {
    const isCut =
      (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || error instanceof RangeError;
    throw isCut ? new TimeLimitError('too long or too deep', { cause: error }) : error;
  } finally {
    delete sandbox.work;
  }
}
