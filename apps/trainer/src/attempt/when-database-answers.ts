import { setTimeout as sleep } from 'node:timers/promises';

import { isDatabaseUnavailable } from '@hone/database';

const RETRY_MS = 250;

/**
 * Does `work` again for as long as the database does not answer.
 *
 * @throws the reason of `signal`, once it is aborted
 */
export async function whenDatabaseAnswers<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
