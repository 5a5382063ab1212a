import { CHECKPOINTS_CHANNEL, newId, NotificationListener } from '@hone/database';
import { roundsOf, until } from '@hone/testing';

import { findBrokenInvariants } from './broken-invariants.repository.js';
import { JOB_EVENTS_CHANNEL, JOBS_CHANNEL } from './job-notifications.js';
import { LeaseLostError, ReferenceStepNotFoundError } from './lease.js';
import { aCheckpoint, aPlan, BROKEN, FLAKY, LIMITS, TrainingBench } from './training-bench.fixture.js';

describe('a job and its workers', () => {
  let bench: TrainingBench;
  beforeEach(async () => {
    bench = await TrainingBench.start();
  });
  afterEach(async () => {
    expect(await findBrokenInvariants(bench.database)).toEqual([]);
    await bench.close();
  });

  it('tells what happened in order, and gives the model its next step', async () => {
    const model = await bench.model();
    const { id } = await bench.job(model);
    const { lease, baseModel } = await bench.claimed();
    expect(lease.jobId).toEqual(id);
    expect(lease.attempt).toBe(1);
    expect(baseModel).toBe('hone-tiny');
    expect(await bench.carryOut(lease, 3)).toBe(1);
    expect(await bench.events(id)).toEqual([
      'training_started',
      'gradient_step',
      'gradient_step',
      'gradient_step',
      'training_ended',
    ]);
    const job = await bench.find(id);
    expect(job).toMatchObject({
      status: 'succeeded',
      parentStep: 0,
      producedStep: 1,
      stepsDone: 3,
      tokens: { input: 40, trainable: 20, processed: 30 },
      data: { groups_submitted: 1, trajectories: 2, groups_trainable: 1, trajectories_trained: 2, dropped: {} },
      metrics: { loss: 0.5 },
      leaseOwner: null,
    });
    const { records } = await bench.reader.listEvents(job, 3, 10);
    expect(records).toMatchObject([
      { type: 'training_ended', data: { step: 1, checkpoint_id: job.producedId, num_gradient_steps: 3 } },
    ]);
  });

  it('runs jobs of a model one after the other, each from what the one before made', async () => {
    const model = await bench.model();
    const [first, second] = [await bench.job(model), await bench.job(model)];
    const one = await bench.claimed();
    expect(one.job.id).toBe(first.id);
    expect(await bench.lease.claim('another')).toBeNull();
    await bench.carryOut(one.lease);
    const two = await bench.claimed('another');
    expect(two.job.id).toBe(second.id);
    const { parent } = await bench.checkpoints.fixStart(two.lease, null);
    expect(parent).toMatchObject({ step: 1, bytes: 100, manifestSha256: 'cc' });
    await bench.carryOut(two.lease);
    expect(await bench.find(second.id)).toMatchObject({ parentStep: 1, producedStep: 2, parentId: parent?.id });
  });

  it('keeps a requeued job before the younger ones of its model', async () => {
    const model = await bench.model();
    const [first] = [await bench.job(model), await bench.job(model)];
    const { lease } = await bench.claimed();
    await bench.lease.retry(lease, FLAKY);
    await bench.test.sql(`UPDATE training_jobs SET available_at = now() + interval '1 hour' WHERE id = $1`, [first.id]);
    expect(await bench.lease.claim('another')).toBeNull();
    await bench.test.sql(`UPDATE training_jobs SET available_at = now() - interval '1 second' WHERE id = $1`, [
      first.id,
    ]);
    expect(await bench.claimed()).toMatchObject({ job: { id: first.id, attempt: 2, failures: 1 } });
  });

  it('gives 200 jobs on 50 models to two workers, each once and in order', async () => {
    const models = await Promise.all(Array.from({ length: 50 }, () => bench.model()));
    const created: string[] = [];
    for (let round = 0; round < 4; round++) {
      const jobs = await Promise.all(models.map((model) => bench.job(model)));
      created.push(...jobs.map(({ id }) => id));
    }
    const seen: string[] = [];
    const work = async (owner: string): Promise<void> => {
      for (;;) {
        const claimed = await bench.lease.claim(owner);
        if (claimed) {
          seen.push(claimed.job.id);
          await bench.carryOut(claimed.lease);
        } else if (seen.length === created.length) return;
      }
    };
    await Promise.all([work('one'), work('two')]);
    expect(seen.toSorted()).toEqual(created.toSorted());
    const attempts = await bench.test.sql('SELECT DISTINCT attempt, status FROM training_jobs');
    expect(attempts).toEqual([{ attempt: 1, status: 'succeeded' }]);
  }, 300_000);

  it('lets the project with the fewest active jobs go first', async () => {
    const busy = await bench.project();
    const models = await Promise.all([bench.model(busy), bench.model(busy), bench.model(busy), bench.model()]);
    const jobs = [];
    for (const model of models) jobs.push(await bench.job(model));
    const order = [];
    for (let count = 0; count < 4; count++) order.push((await bench.claimed()).job.id);
    expect(order).toEqual([jobs[0], jobs[3], jobs[1], jobs[2]].map((job) => job?.id));
  });

  const rounds = roundsOf(150, 'HONE_RACE_RUNS', 30);
  it(
    `lets one of cancel and commit win, never both, ${rounds} times`,
    async () => {
      const outcomes = new Set<string>();
      for (let round = 0; round < rounds; round++) {
        const lease = await bench.running(0);
        const pause = round % 3 === 0 ? null : bench.database.ping();
        const committed = bench.checkpoints.commit(lease, aCheckpoint()).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(LeaseLostError);
            return false;
          },
        );
        if (round % 3 === 1) await pause;
        const cancelled = await bench.control.cancelJob(lease.jobId, bench.userId);
        if (await committed) expect(cancelled.outcome).toBe('already_finished');
        else expect(await bench.lease.cancelSeen(lease)).toBe(true);
        const { status } = await bench.find(lease.jobId);
        expect(status).toBe((await committed) ? 'succeeded' : 'cancelled');
        outcomes.add(status);
      }
      expect(outcomes.size).toBe(2);
    },
    rounds * 2_000,
  );

  it('refuses everything of a worker whose job has another attempt', async () => {
    const stale = await bench.running(2);
    await bench.steps(stale, 1);
    await bench.pass(stale.jobId, 'lease_expires_at');
    await bench.reaper.reap();
    const { lease } = await until(() => bench.lease.claim(stale.owner));
    expect(lease).toEqual({ ...stale, attempt: 2 });
    await bench.lease.storePlan(lease, aPlan(2));
    const attempts = [
      bench.lease.heartbeat(stale, 'training'),
      bench.lease.recordStep(stale, 2, { loss: 9 }, 9),
      bench.lease.recordResumePoint(stale, { uri: 'local:x', sha256: 'x', step: 1 }),
      bench.lease.fail(stale, BROKEN),
      bench.lease.retry(stale, FLAKY),
      bench.lease.drain(stale),
      bench.checkpoints.commit(stale, aCheckpoint()),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(LeaseLostError);
    // The second attempt repeats the first step, which gets no second event.
    await bench.steps(lease, 2);
    await bench.checkpoints.commit(lease, aCheckpoint());
    expect(await bench.events(lease.jobId)).toEqual([
      'training_started',
      'gradient_step',
      'gradient_step',
      'training_ended',
    ]);
  });

  it('refuses a plan that is another than the first', async () => {
    const lease = await bench.running(2);
    await bench.lease.drain(lease);
    const again = (await bench.claimed()).lease;
    await expect(bench.lease.storePlan(again, { ...aPlan(2), sha256: 'other' })).rejects.toThrow('another result');
  });

  it('refuses to commit before the last step, and steps that skip one', async () => {
    const lease = await bench.running(2);
    await expect(bench.lease.recordStep(lease, 2, { loss: 1 }, 1)).rejects.toThrow('came after step 0');
    await bench.steps(lease, 1);
    await expect(bench.checkpoints.commit(lease, aCheckpoint())).rejects.toThrow('step 1 of 2');
  });

  it('fails at the third failure, waiting longer each time', async () => {
    await bench.job(await bench.model());
    const waits: number[] = [];
    for (let failure = 1; failure <= 3; failure++) {
      const { lease, job } = await until(() => bench.lease.claim('worker'));
      expect(job.attempt).toBe(failure);
      const status = await bench.lease.retry(lease, FLAKY);
      expect(status).toBe(failure < 3 ? 'queued' : 'failed');
      const after = await bench.find(job.id);
      if (status === 'queued') waits.push(after.availableAt.getTime() - after.queuedAt.getTime());
      else expect(after).toMatchObject({ error: FLAKY, failures: 3 });
    }
    expect(waits).toEqual([1, 4]);
  });

  it('is no failure when the worker drains', async () => {
    await bench.job(await bench.model());
    for (let round = 1; round <= 5; round++) await bench.lease.drain((await bench.claimed()).lease);
    const { lease, job } = await bench.claimed();
    expect(job.attempt).toBe(6);
    expect(job.failures).toBe(0);
    expect(await bench.carryOut(lease)).toBe(1);
  });

  it('keeps parent and reference, deleted or not, until it ends', async () => {
    const model = await bench.model();
    for (let step = 1; step <= 3; step++) {
      await bench.job(model);
      await bench.carryOut((await bench.claimed()).lease);
    }
    await bench.job(model);
    const first = (await bench.claimed()).lease;
    const start = await bench.checkpoints.fixStart(first, { lag: 2 });
    expect(start.parent?.step).toBe(3);
    expect(start.reference?.step).toBe(1);
    await bench.test.sql('UPDATE checkpoints SET deleted_at = now()');
    await bench.lease.drain(first);
    const { lease } = await bench.claimed();
    expect(await bench.checkpoints.fixStart(lease, { lag: 2 })).toEqual(start);
    const pins = () => bench.test.sql(`SELECT 1 FROM checkpoint_pins WHERE holder = $1`, [`job:${lease.jobId}`]);
    expect(await pins()).toHaveLength(2);
    expect(await bench.carryOut(lease)).toBe(4);
    expect(await pins()).toHaveLength(0);
  });

  it('names a reference that does not exist', async () => {
    const lease = await bench.preparing();
    await expect(bench.checkpoints.fixStart(lease, { step: 7 })).rejects.toThrow(ReferenceStepNotFoundError);
    expect(await bench.checkpoints.fixStart(lease, { lag: 7 })).toEqual({ parent: null, reference: null });
  });

  it('tells a worker that holds the job to stop, and until when it may run', async () => {
    const lease = await bench.running();
    const { deadlineAt, ...before } = await bench.lease.heartbeat(lease, 'training');
    expect(before).toEqual({ cancel: false });
    expect(deadlineAt).toEqual((await bench.find(lease.jobId)).runDeadlineAt);
    await bench.control.cancelJob(lease.jobId, bench.userId);
    expect(await bench.lease.heartbeat(lease, 'training')).toMatchObject({ cancel: true });
  });

  it('is no stall while something gets done between its steps', async () => {
    const { jobId, ...lease } = await bench.preparing();
    const reaped = async () => (await bench.reaper.reap()).map(({ reason }) => reason);
    const silent = () => bench.pass(jobId, 'last_step_at');
    await silent();
    await bench.lease.heartbeat({ jobId, ...lease }, 'planning', true);
    expect(await reaped()).toEqual([]);
    await silent();
    await bench.lease.heartbeat({ jobId, ...lease }, 'planning');
    expect(await reaped()).toEqual(['stalled']);
  });

  it('has what its steps warn of, one warning of each code', async () => {
    const lease = await bench.running(3);
    const warning = (code: string, message: string) => ({ code, message, hint: null, loc: ['config'] });
    await bench.lease.recordStep(lease, 1, { loss: 1 }, 1, [warning('a', 'first')]);
    await bench.lease.recordStep(lease, 2, { loss: 1 }, 2, [warning('a', 'again'), warning('b', 'other')]);
    await bench.lease.recordStep(lease, 3, { loss: 1 }, 3);
    expect((await bench.find(lease.jobId)).warnings).toEqual([warning('a', 'first'), warning('b', 'other')]);
  });

  it('knows the means of its steps', async () => {
    const lease = await bench.running(2);
    await bench.lease.recordStep(lease, 1, { loss: 1, kl_policy_ref: 5 }, 1);
    await bench.lease.recordStep(lease, 2, { loss: 2 }, 2);
    expect(await bench.lease.findStepMeans(lease)).toEqual({ loss: 1.5, kl_policy_ref: 5 });
  });

  it('is not taken in beyond the limits, or for a model that is gone', async () => {
    const model = await bench.model();
    const { id: _id, ...draft } = await bench.job(model);
    const create = (limits: typeof LIMITS) =>
      bench.control.createJob({ ...draft, id: newId(), modelId: model.id, input: null }, limits);
    expect(await create({ perModel: 1, perProject: 9 })).toEqual({ outcome: 'queue_full', of: 'model' });
    expect(await create({ perModel: 9, perProject: 1 })).toEqual({ outcome: 'queue_full', of: 'project' });
    await bench.test.sql('UPDATE trainable_models SET deleted_at = now()');
    await bench.control.cancelModelJobs(model.projectId, model.id);
    expect(await create(LIMITS)).toEqual({ outcome: 'no_model' });
    expect(await bench.test.sql('SELECT 1 FROM training_jobs')).toHaveLength(1);
  });

  it('takes many jobs in at once up to its limit exactly', async () => {
    const model = await bench.model();
    const { id: _id, ...draft } = await bench.job(model);
    const limits = { perModel: 5, perProject: 99 };
    const results = await Promise.all(
      Array.from({ length: 12 }, () => bench.control.createJob({ ...draft, id: newId() }, limits)),
    );
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(4);
  });

  it('announces what others wait for', async () => {
    const received: Record<string, unknown[]> = {};
    const listener = new NotificationListener(bench.test.url);
    for (const channel of [JOBS_CHANNEL, JOB_EVENTS_CHANNEL, CHECKPOINTS_CHANNEL]) {
      await listener.listen(channel, (payload) => (received[channel] ??= []).push(JSON.parse(payload)));
    }
    const lease = await bench.preparing();
    await bench.carryOut(lease);
    const job = { job_id: lease.jobId };
    await until(() => received[CHECKPOINTS_CHANNEL]);
    await listener.close();
    expect(received[CHECKPOINTS_CHANNEL]).toEqual([{ model_id: lease.modelId, step: 1 }]);
    expect(received[JOBS_CHANNEL]).toEqual([job, job]);
    // Claimed, started, one step, ended.
    expect(received[JOB_EVENTS_CHANNEL]).toEqual(Array(4).fill({ ...job, model_id: lease.modelId }));
  });
});
