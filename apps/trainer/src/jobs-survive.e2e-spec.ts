import { roundsOf, until } from '@hone/testing';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { childrenOf, isThere } from './testing/child-processes.fixture.js';
import { TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someThumbs } from './testing/training-input.fixture.js';

/** Steps of the job that is killed at each, an even number. Dozens find rare races: `HONE_JOB_KILLS=60`. */
const STEPS = roundsOf(30, 'HONE_JOB_KILLS', 6);
const GROUPS = someGroups(STEPS / 2);

/** Each on a bench of its own: trainers come and go. */
describe('a job whose worker', () => {
  let bench: TrainerBench;
  afterEach(() => bench.close());

  const FORMS = {
    rl: (model: string) => bench.rlJob(model, GROUPS, ONE_BY_ONE),
    preference: (model: string) =>
      bench.preferenceJob(model, someThumbs(STEPS), { method: 'kto', batch_size: 2, n_epochs: 2, learning_rate: 1e-3 }),
  };

  async function undisturbed(start: (model: string) => Promise<TrainingJobRecord> = FORMS.rl) {
    const model = await bench.model();
    const job = await start(model);
    expect(await bench.ended(job.id)).toMatchObject({ status: 'succeeded', attempt: 1 });
    return bench.hashes(model, 1);
  }

  async function expectEvents(jobId: string, steps: number) {
    const types = (await bench.events(jobId)).map(({ type }) => type);
    expect(types).toEqual(['training_started', ...Array(steps).fill('gradient_step'), 'training_ended']);
  }

  it.each(['rl', 'preference'] as const)(
    'is killed at every step of an %s job ends with the same bytes',
    async (kind) => {
      bench = await TrainerBench.start({ maxFailures: 99 });
      await bench.trainer();
      const expected = await undisturbed(FORMS[kind]);
      const model = await bench.model();
      const { id } = await FORMS[kind](model);
      const killed: number[] = [];
      for (let k = 0; k < STEPS; k++) {
        const next = bench.trainer();
        const isReady = ({ status, attempt, stepsDone }: TrainingJobRecord) =>
          status === 'running' && attempt > killed.length && stepsDone >= k;
        // On a busy machine the last steps may all be done between two looks.
        const job = await bench.until(id, (one) => isReady(one) || one.status === 'succeeded');
        if (job.status === 'succeeded') break;
        await bench.holderOf(job).stop('SIGKILL');
        if ((await bench.find(id)).status === 'succeeded') break;
        await bench.expireLease(id);
        killed.push(job.stepsDone);
        await next;
      }
      const job = await bench.ended(id);
      expect(job).toMatchObject({
        status: 'succeeded',
        attempt: killed.length + 1,
        failures: killed.length,
        stepsDone: STEPS,
      });
      expect(new Set(killed).size).toBeGreaterThan(STEPS / 2);
      expect(await bench.hashes(model, 1)).toEqual(expected);
      await expectEvents(id, STEPS);
    },
    STEPS * 75_000,
  );

  it('is killed while it plans is planned anew elsewhere, and nobody plans on', async () => {
    bench = await TrainerBench.start();
    await bench.trainer();
    const { id, createdBy } = await bench.rlJob(await bench.model(), someGroups(2_000), ONE_BY_ONE);
    const holder = bench.holderOf(await bench.until(id, ({ status }) => status === 'preparing'));
    const planning = await until(async () => (await childrenOf(holder.child.pid as number))[0], 'a child that plans');
    await holder.stop('SIGKILL');
    expect(await bench.find(id)).toMatchObject({ status: 'preparing', plan: null });
    await bench.expireLease(id);
    await bench.trainer();
    const running = await bench.until(id, ({ status }) => status === 'running');
    expect(running).toMatchObject({ attempt: 2, failures: 1, numSequences: 4_000 });
    await until(async () => !(await isThere(planning)), 'the end of the child');
    await bench.control.cancelJob(id, createdBy);
    expect(await bench.ended(id)).toMatchObject({ status: 'cancelled' });
    expect((await bench.events(id)).filter(({ type }) => type === 'training_started')).toHaveLength(1);
  }, 300_000);

  it('is killed three times has failed', async () => {
    bench = await TrainerBench.start();
    const { id } = await bench.rlJob(await bench.model(), GROUPS, ONE_BY_ONE);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await bench.trainer();
      const job = await bench.until(id, (now) => now.status === 'running' && now.attempt === attempt);
      await bench.holderOf(job).stop('SIGKILL');
      await bench.loseLease(id);
    }
    const job = await bench.ended(id);
    expect(job).toMatchObject({ status: 'failed', failures: 3, error: { code: 'job.worker_lost', retryable: true } });
  }, 300_000);

  it('is asked to end three times goes on elsewhere, with the same bytes', async () => {
    bench = await TrainerBench.start();
    await bench.trainer();
    const groups = someGroups(20);
    const expected = await undisturbed((model) => bench.rlJob(model, groups, ONE_BY_ONE));
    const model = await bench.model();
    const { id } = await bench.rlJob(model, groups, ONE_BY_ONE);
    for (let round = 1; round <= 3; round++) {
      const next = bench.trainer();
      const job = await bench.until(id, (now) => now.attempt === round && now.stepsDone >= round * 8);
      expect(await bench.holderOf(job).stop('SIGTERM')).toBe(0);
      const { resume, attempt } = await bench.find(id);
      expect(attempt > round || (resume?.step ?? 0) >= round * 8).toBe(true);
      await next;
    }
    expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', attempt: 4, failures: 0 });
    expect(await bench.hashes(model, 1)).toEqual(expected);
    await expectEvents(id, 40);
  }, 300_000);

  it('is stopped (SIGSTOP), then continued, has lost its lease', async () => {
    // Only the test ends a lease, however busy the machine is.
    bench = await TrainerBench.start({ heartbeatSeconds: 0.3, leaseSeconds: 600 });
    const sleeper = await bench.trainer();
    const model = await bench.model();
    const { id } = await bench.rlJob(model, someGroups(100), ONE_BY_ONE);
    await bench.until(id, ({ stepsDone }) => stepsDone >= 2);
    await bench.freeze(sleeper, id);
    await bench.expireLease(id);
    await bench.trainer();
    // On a busy machine the other may be done with it by now.
    await bench.until(id, ({ attempt, status }) => attempt === 2 && status !== 'queued');
    sleeper.child.kill('SIGCONT');
    expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', attempt: 2, failures: 1 });
    await expectEvents(id, 200);
    expect(await bench.test.sql('SELECT 1 FROM checkpoints')).toHaveLength(1);
    // It is as good as any other again.
    const second = await bench.rlJob(await bench.model(), someGroups(2), ONE_BY_ONE);
    expect(await bench.ended(second.id)).toMatchObject({ status: 'succeeded' });
    expect(sleeper.child.exitCode).toBeNull();
  }, 300_000);
});
