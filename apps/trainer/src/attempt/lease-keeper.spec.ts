import { until } from '@hone/testing/until';
import {
  DEFAULT_JOB_TIMES,
  type HeartbeatAnswer,
  type JobLease,
  type Lease,
  LeaseLostError,
} from '@hone/training-jobs';

import { LeaseKeeper } from './lease-keeper.js';

const LEASE: Lease = { jobId: 'job', projectId: 'project', modelId: 'model', attempt: 1, owner: 'worker' };
const GOOD = { cancel: false, deadlineAt: new Date() };

describe('LeaseKeeper', () => {
  let keeper: LeaseKeeper;
  afterEach(() => keeper.close());

  function keep(heartbeat: () => Promise<HeartbeatAnswer>, leaseSeconds = 600): Promise<unknown> {
    const times = { ...DEFAULT_JOB_TIMES, leaseSeconds, heartbeatSeconds: 0.03 };
    keeper = new LeaseKeeper(LEASE, { heartbeat } as unknown as JobLease, times);
    return new Promise((resolve) =>
      keeper.signal.addEventListener('abort', () => resolve((keeper.signal.reason as { reason: string }).reason)),
    );
  }

  it('extends the lease again and again, and says what the job is at', async () => {
    const phases: unknown[] = [];
    const heartbeat = async (...[, phase]: unknown[]) => {
      phases.push(phase);
      return GOOD;
    };
    void keep(heartbeat as () => Promise<HeartbeatAnswer>);
    await until(() => phases.length >= 3, 'three heartbeats');
    keeper.phase = 'saving';
    await keeper.ask();
    await until(() => phases.at(-1) === 'saving', 'the next phase');
    expect(phases.slice(0, 3)).toEqual(['planning', 'planning', 'planning']);
  });

  it('reports progress once, and again when the write of it failed', async () => {
    const heard: boolean[] = [];
    let isAway = true;
    const heartbeat = async (...[, , hasProgress]: unknown[]) => {
      if (isAway && hasProgress) {
        isAway = false;
        throw new Error('connect ECONNREFUSED');
      }
      heard.push(hasProgress as boolean);
      return GOOD;
    };
    void keep(heartbeat as () => Promise<HeartbeatAnswer>);
    keeper.progressed();
    await until(() => heard.includes(true), 'the progress');
    const after = heard.length;
    await until(() => heard.length >= after + 2, 'two more heartbeats');
    expect([isAway, heard.filter(Boolean)]).toEqual([false, [true]]);
  });

  it('stops when the job is cancelled', async () => {
    expect(await keep(async () => ({ ...GOOD, cancel: true }))).toBe('cancelled');
  });

  it('stops when the lease is gone', async () => {
    expect(await keep(() => Promise.reject(new LeaseLostError(LEASE)))).toBe('lost');
  });

  it('does not stop what ends the job, when a heartbeat finds it over', async () => {
    void keep(() => Promise.reject(new LeaseLostError(LEASE)));
    keeper.ending();
    await keeper.ask();
    expect(keeper.signal.aborted).toBe(false);
  });

  it('stops by itself when no answer comes, or only errors', async () => {
    expect(await keep(() => new Promise(() => undefined), 0.3)).toBe('silent');
    keeper.close();
    expect(await keep(() => Promise.reject(new Error('connect ECONNREFUSED')), 0.3)).toBe('silent');
  });
});
