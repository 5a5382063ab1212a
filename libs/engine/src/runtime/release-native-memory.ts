import { setImmediate } from 'node:timers/promises';

import { collectGarbage } from '@hone/threads';

/**
 * Gives back native memory, such as the hundreds of megabytes of a closed session, which a collection by itself would keep
 * until as much has been taken again.
 */
export async function releaseNativeMemory(): Promise<void> {
  // What was awaited last is still on the stack.
  await setImmediate();
  collectGarbage();
}
