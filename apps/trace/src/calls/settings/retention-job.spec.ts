import { RetentionJob } from './retention-job.js';
import { expiredAfter, RETENTION_BATCH_CALLS, type RetentionRepository } from './retention.repository.js';

/** Deletes from piles of calls, one for each kind of each project. */
function jobOn(piles: Record<string, { shown: number; others: number }>, isLocked = () => false) {
  const batches: [string, string, number][] = [];
  const repository = {
    list: async () => Object.keys(piles).map((projectId) => expiredAfter(projectId, 30)),
    deleteBatch: async ({ projectId }: { projectId: string }, kind: 'shown' | 'others') => {
      if (isLocked()) return null;
      const pile = piles[projectId] as { shown: number; others: number };
      const batch = Math.min(RETENTION_BATCH_CALLS, pile[kind]);
      pile[kind] -= batch;
      batches.push([projectId, kind, batch]);
      return batch;
    },
  } as unknown as RetentionRepository;
  return { job: new RetentionJob(repository), batches };
}

describe('RetentionJob', () => {
  it('deletes batch after batch, project after project', async () => {
    const { job, batches } = jobOn({ a: { shown: 2_001, others: 0 }, b: { shown: 0, others: 3 } });
    expect(await job.run()).toBe(2_004);
    expect(batches).toEqual([
      ['a', 'shown', 1_000],
      ['a', 'shown', 1_000],
      ['a', 'shown', 1],
      ['a', 'others', 0],
      ['b', 'shown', 0],
      ['b', 'others', 3],
    ]);
  });

  it('leaves the rest to another process that deletes already', async () => {
    let asked = 0;
    const { job, batches } = jobOn({ a: { shown: 5_000, others: 0 } }, () => ++asked > 2);
    expect([await job.run(), batches.length]).toEqual([2_000, 2]);
  });

  it('ends with the batch at hand when the process stops', async () => {
    const { job, batches } = jobOn({ a: { shown: 5_000, others: 0 } }, () => {
      if (batches.length === 1) job.onApplicationShutdown();
      return false;
    });
    expect(await job.run()).toBe(2_000);
  });

  it('counts days from now', () => {
    const now = Date.parse('2026-03-01T00:00:00Z');
    expect(expiredAfter('p', 28, now)).toEqual({ projectId: 'p', before: new Date('2026-02-01T00:00:00Z') });
  });
});
