import type { ErasedDigestsRepository } from '@hone/calls';

import { type CallErasureRepository, type ErasedBatch, ERASURE_BATCH_CALLS } from './call-erasure.repository.js';
import { ErasureJob } from './erasure-job.js';
import { expiredAfter, type ExpiredCallsRepository } from './expired-calls.repository.js';

/** A place in a pile. */
interface Place {
  readonly left: number;
}

/** Erases from piles of calls, one for each kind of each project; `deleted` are those of all projects. */
function jobOn(
  piles: Record<string, Partial<Record<'shown' | 'others', number>>>,
  deleted = 0,
  isLocked = () => false,
) {
  const batches: [string, string, number][] = [];
  const left = new Map<string, number>([['all deleted', deleted]]);
  for (const [projectId, { shown = 0, others = 0 }] of Object.entries(piles)) {
    left.set(`${projectId} shown`, shown).set(`${projectId} others`, others);
  }
  const take = async (projectId: string, kind: string, after: Place | null): Promise<ErasedBatch<Place> | null> => {
    if (isLocked()) return null;
    const pile = left.get(`${projectId} ${kind}`) ?? 0;
    const batch = Math.min(ERASURE_BATCH_CALLS, pile);
    left.set(`${projectId} ${kind}`, pile - batch);
    batches.push([projectId, kind, batch]);
    // Each batch begins behind the one before.
    expect(after?.left ?? pile).toBe(pile);
    return { count: batch, last: { left: pile - batch } };
  };
  const expired = { list: async () => Object.keys(piles).map((projectId) => expiredAfter(projectId, 30)) };
  const calls = {
    eraseDeleted: (after: Place | null) => take('all', 'deleted', after),
    eraseExpired: ({ projectId }: { projectId: string }, kind: string, after: Place | null) =>
      take(projectId, kind, after),
  };
  const marks = [2, 1];
  const digests = { collectBatch: async () => marks.shift() ?? 0 };
  const job = new ErasureJob(
    expired as ExpiredCallsRepository,
    calls as unknown as CallErasureRepository,
    digests as unknown as ErasedDigestsRepository,
  );
  return { job, batches, marks };
}

describe('ErasureJob', () => {
  it('erases batch after batch, project after project, then what nothing names', async () => {
    const { job, batches, marks } = jobOn({ a: { shown: 2_001 }, b: { others: 3 } }, 1_001);
    expect(await job.run()).toBe(3_005);
    expect(batches).toEqual([
      ['all', 'deleted', 1_000],
      ['all', 'deleted', 1],
      ['a', 'shown', 1_000],
      ['a', 'shown', 1_000],
      ['a', 'shown', 1],
      ['a', 'others', 0],
      ['b', 'shown', 0],
      ['b', 'others', 3],
    ]);
    expect(marks).toEqual([]);
  });

  it('leaves the rest to another process that erases already', async () => {
    let asked = 0;
    const { job, batches } = jobOn({ a: { shown: 5_000 } }, 0, () => ++asked > 3);
    expect(await job.run()).toBe(2_000);
    expect(batches).toHaveLength(3);
  });

  it('ends with the batch at hand when the process stops', async () => {
    const { job, batches } = jobOn({ a: { shown: 5_000 } }, 0, () => {
      if (batches.length === 2) job.onApplicationShutdown();
      return false;
    });
    expect(await job.run()).toBe(2_000);
  });

  it('counts days from now', () => {
    const now = Date.parse('2026-03-01T00:00:00Z');
    expect(expiredAfter('p', 28, now)).toEqual({ projectId: 'p', before: new Date('2026-02-01T00:00:00Z') });
  });
});
