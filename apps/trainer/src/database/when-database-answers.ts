import { setTimeout as sleep } from 'node:timers/promises';

import { isDatabaseUnavailable } from '@hone/database';

const RETRY_MS = 250;

/**
 * Does `work` again for as long as the database does not answer.
 *
 * @throws the reason of `signal`, as soon as it is aborted: the caller does not wait for a silent connection
 */
export async function whenDatabaseAnswers<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await unlessAborted(work(), signal);
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
