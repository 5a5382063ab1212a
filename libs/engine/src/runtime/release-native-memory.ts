import { setImmediate } from 'node:timers/promises';

import { collectGarbage } from '@hone/threads';

/**
 * Frees native memory, such as the hundreds of megabytes of a closed session. The garbage collector by itself would
 * keep it until as much has been allocated again.
 */
export async function releaseNativeMemory(): Promise<void> {
  // The stack still refers to the last awaited value: leave it first.
  await setImmediate();
  collectGarbage();
}
