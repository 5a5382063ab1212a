import { setTimeout as sleep } from 'node:timers/promises';

import { type CallBackfillsRepository, type CallSearchRepository, SEARCH_BATCH_CALLS } from '@hone/calls';
import type { NotificationListener } from '@hone/database';

import type { SearchDocuments } from './search-documents.js';
import { SearchIndexJob } from './search-index-job.js';

const WORK_MS = 20;
const BATCHES = 6;

/** The least rest of a job between two batches, by how long the one before took. @param perBatch calls that are written meanwhile */
async function leastRest(perBatch: number): Promise<number> {
  const batches: { startMs: number; endMs: number }[] = [];
  let queued = 1_000_000;
  const search = {
    backfill: () => ({}),
    waitingProjects: async () => (batches.length < BATCHES ? ['a'] : []),
    projectsToClear: async () => [],
    countEverQueued: async () => (queued += perBatch),
    indexBatch: async () => {
      const startMs = performance.now();
      await sleep(WORK_MS);
      batches.push({ startMs, endMs: performance.now() });
      return batches.length < BATCHES ? SEARCH_BATCH_CALLS : 0;
    },
  };
  const backfills = { step: async () => false };
  const job = new SearchIndexJob(
    search as unknown as CallSearchRepository,
    backfills as unknown as CallBackfillsRepository,
    {} as SearchDocuments,
    {} as NotificationListener,
  );
  await job.run();
  // Before its first rest the job does not know yet how many were written.
  const rests = batches.slice(2).map(({ startMs }, at) => {
    const before = batches[at + 1] as (typeof batches)[number];
    return (startMs - before.endMs) / (before.endMs - before.startMs);
  });
  return Math.min(...rests);
}

describe('SearchIndexJob', () => {
  it('leaves most of a processor to writes while there are many', async () => {
    expect(await leastRest(1_000)).toBeGreaterThan(8);
  });

  it('works half of the time while nothing is written', async () => {
    const rest = await leastRest(0);
    expect(rest).toBeGreaterThan(0.8);
    expect(rest).toBeLessThan(4);
  });
});
