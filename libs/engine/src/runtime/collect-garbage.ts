import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/**
 * Collects the garbage of this thread now. A collection by itself looks at small objects, not at the native memory behind
 * them: that of a closed session of hundreds of megabytes stays until another hundreds of megabytes have been taken.
 */
export async function collectGarbage(): Promise<void> {
  // What was awaited last is still on the stack.
  await setImmediate();
  collect ??= exposed();
  collect();
}

function exposed(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
