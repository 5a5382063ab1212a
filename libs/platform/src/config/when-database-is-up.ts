import { setTimeout as sleep } from 'node:timers/promises';

import { isDatabaseUnavailable } from '@hone/database';

const WAIT_MS = 60_000;
const RETRY_MS = 500;

/** Runs `work` of the service's start, again and again while the database does not answer, for a minute at most. */
export async function whenDatabaseIsUp<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
