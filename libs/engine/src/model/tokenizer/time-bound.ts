import { createContext, Script } from 'node:vm';

const sandbox: { work?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('work()');

/**
 * Runs synchronous work, which is cut off at its limit wherever it is, in a regular expression, too. Costs a sixth of a
 * millisecond.
 *
 * @param onLimit what is thrown then
 */
export function withinTime<T>(work: () => T, limitMs: number, onLimit: () => Error): T {
  sandbox.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? onLimit() : error;
  } finally {
    delete sandbox.work;
  }
}
