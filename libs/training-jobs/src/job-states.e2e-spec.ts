import { findBrokenInvariants } from './broken-invariants.repository.js';
import { ENDINGS } from './job-error.js';
import type { JobStatus } from './job-record.js';
import type { Lease } from './lease.js';
import { LeaseLostError } from './lease.js';
import { aCheckpoint, aPlan, BROKEN, FLAKY, TrainingBench } from './training-bench.fixture.js';

/** What happens to a job, by whom; resolves when it was accepted. */
const EVENTS = {
  'plan stored': (bench, lease) => bench.lease.storePlan(lease, aPlan(2)),
  'step done': (bench, lease) => bench.lease.recordStep(lease, 1, { loss: 1 }, 10),
  'resume point': (bench, lease) =>
    bench.lease.recordResumePoint(lease, { uri: 'local:jobs/resume', sha256: 'dd', step: 1 }),
  heartbeat: (bench, lease) => bench.lease.heartbeat(lease, 'training'),
  commit: (bench, lease) => bench.checkpoints.commit(lease, aCheckpoint()),
  'permanent failure': (bench, lease) => bench.lease.fail(lease, BROKEN),
  'retryable failure': (bench, lease) => bench.lease.retry(lease, FLAKY),
  drain: (bench, lease) => bench.lease.drain(lease),
  'cancel seen': async (bench, lease) => {
    if (!(await bench.lease.cancelSeen(lease))) throw new LeaseLostError(lease);
  },
  cancel: (bench, lease) => bench.control.cancelJob(lease.jobId, bench.userId),
  'lease expired': (bench, lease) => reaped(bench, lease, 'lease_expires_at'),
  'run deadline': (bench, lease) => reaped(bench, lease, 'run_deadline_at'),
  'queue deadline': (bench, lease) => reaped(bench, lease, 'queue_deadline_at'),
  stall: (bench, lease) => reaped(bench, lease, 'last_step_at'),
  'cancel grace over': (bench, lease) => reaped(bench, lease, 'cancel_requested_at'),
  'model deleted': (bench, lease) => bench.control.cancelModelJobs(lease.projectId, lease.modelId),
} as const satisfies Record<string, (bench: TrainingBench, lease: Lease) => Promise<unknown>>;

async function reaped(bench: TrainingBench, lease: Lease, column: string): Promise<void> {
  await bench.test.sql(
    `UPDATE training_jobs SET ${column} = now() - interval '1 day' WHERE id = $1 AND ${column} IS NOT NULL`,
    [lease.jobId],
  );
  await bench.reaper.reap();
}

const OPEN = ['queued', 'preparing', 'running', 'cancelling'] as const;

/** The table of the states: null is refused, or leaves the job as it is. */
const TABLE: Record<keyof typeof EVENTS, readonly (JobStatus | null)[]> = {
  'plan stored': [null, 'running', null, null],
  'step done': [null, null, 'running', null],
  'resume point': [null, null, 'running', null],
  heartbeat: [null, 'preparing', 'running', 'cancelling'],
  commit: [null, null, 'succeeded', null],
  'permanent failure': [null, 'failed', 'failed', 'cancelled'],
  'retryable failure': [null, 'queued', 'queued', 'cancelled'],
  drain: [null, 'queued', 'queued', 'cancelled'],
  'cancel seen': [null, null, null, 'cancelled'],
  cancel: ['cancelled', 'cancelling', 'cancelling', 'cancelling'],
  'lease expired': [null, 'queued', 'queued', 'cancelled'],
  'run deadline': [null, 'failed', 'failed', 'cancelled'],
  'queue deadline': ['failed', null, null, null],
  stall: [null, 'queued', 'queued', null],
  'cancel grace over': [null, null, null, 'cancelled'],
  'model deleted': ['cancelled', 'cancelled', 'cancelled', 'cancelled'],
};

const CASES = Object.entries(TABLE).flatMap(([event, after]) =>
  OPEN.map((before, at) => [event as keyof typeof EVENTS, before, after[at] ?? null] as const),
);
const CODES: Partial<Record<keyof typeof EVENTS, string>> = {
  'permanent failure': BROKEN.code,
  'run deadline': ENDINGS.runTimeout.code,
  'queue deadline': ENDINGS.queueTimeout.code,
  'model deleted': ENDINGS.modelDeleted.code,
};

/** Who was asked to stop is cancelled, whatever else goes wrong. */
const codeOf = (event: keyof typeof EVENTS, before: JobStatus) =>
  before === 'cancelling' && event !== 'model deleted' ? 'job.cancelled' : (CODES[event] ?? 'job.cancelled');

/** Times that the events above move by themselves. */
const PASSED = { queueDeadlineAt: null, runDeadlineAt: null, lastStepAt: null };

describe('the states of a job', () => {
  let bench: TrainingBench;
  beforeAll(async () => {
    bench = await TrainingBench.start();
  });
  afterAll(() => bench.close());
  afterEach(async () => {
    expect(await findBrokenInvariants(bench.database)).toEqual([]);
    // The next case claims its own job.
    await bench.test.sql(`DELETE FROM training_jobs`);
    await bench.test.sql(`DELETE FROM training_job_events`);
    await bench.test.sql(`DELETE FROM checkpoints`);
  });

  async function arrange(before: (typeof OPEN)[number]): Promise<Lease> {
    if (before === 'queued') {
      // As it is for a worker whose lease was taken away.
      const lease = await bench.preparing();
      await bench.lease.drain(lease);
      return lease;
    }
    const lease = before === 'preparing' ? await bench.preparing() : await bench.running();
    if (before !== 'preparing') await bench.steps(lease, 2);
    if (before === 'cancelling') await bench.control.cancelJob(lease.jobId, bench.userId);
    return lease;
  }

  it.each(CASES)('%s, %s: %s', async (event, before, after) => {
    const lease = await arrange(before);
    const was = await bench.find(lease.jobId);
    expect(was.status).toBe(before);
    const outcome = await EVENTS[event](bench, lease).then(
      () => 'accepted',
      (error: unknown) => error,
    );
    const is = await bench.find(lease.jobId);
    if (after === null) {
      if (!/deadline|expired|stall|grace/.test(event)) expect(outcome).toBeInstanceOf(LeaseLostError);
      expect({ ...is, ...PASSED }).toEqual({ ...was, ...PASSED });
      return;
    }
    expect([outcome, is.status]).toEqual(['accepted', after]);
    const ending = after === 'failed' || after === 'cancelled';
    expect(is.error?.code ?? null).toBe(ending ? codeOf(event, before) : null);
    expect((await bench.events(lease.jobId)).includes('training_failed')).toBe(ending);
  });

  const ENDS: [JobStatus, (lease: Lease) => Promise<unknown>][] = [
    ['succeeded', (lease) => bench.checkpoints.commit(lease, aCheckpoint())],
    ['failed', (lease) => bench.lease.fail(lease, BROKEN)],
    ['cancelled', (lease) => bench.control.cancelModelJobs(lease.projectId, lease.modelId)],
  ];
  it.each(ENDS)('%s is never left', async (status, end) => {
    const lease = await bench.running(2);
    await bench.steps(lease, 2);
    await end(lease);
    const was = await bench.find(lease.jobId);
    expect(was.status).toBe(status);
    const events = await bench.events(lease.jobId);
    for (const event of Object.values(EVENTS)) await event(bench, lease).catch(() => undefined);
    expect({ ...(await bench.find(lease.jobId)), ...PASSED }).toEqual({ ...was, ...PASSED });
    expect(await bench.events(lease.jobId)).toEqual(events);
  });
});
