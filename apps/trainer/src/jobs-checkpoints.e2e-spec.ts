import { roundsOf } from '@hone/testing';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines } from './testing/training-input.fixture.js';

const STEPS = 20;
const KILLS = roundsOf(8, 'HONE_JOB_KILLS', 2);
const CONFIG = { batch_size: 1, learning_rate: 1e-3, checkpoint_every: 3 };
const LINES = someLines(STEPS);

describe('a job with checkpoints on the way', () => {
  let bench: TrainerBench;
  beforeEach(async () => {
    bench = await TrainerBench.start({ maxFailures: 99 });
    await bench.trainer();
  });
  afterEach(() => bench.close());

  const stepsOf = async (modelId: string) =>
    (await bench.test.sql('SELECT step FROM checkpoints WHERE model_id = $1 ORDER BY step', [modelId])).map(
      ({ step }) => Number(step),
    );
  const allHashes = async (modelId: string) => {
    const steps = await stepsOf(modelId);
    return Promise.all(steps.map((step) => bench.hashes(modelId, step)));
  };

  it(
    'makes them as steps of the model, the same ones when it is killed again and again',
    async () => {
      const undisturbed = await bench.model();
      const done = await bench.ended((await bench.sftJob(undisturbed, LINES, CONFIG)).id);
      expect(done).toMatchObject({ status: 'succeeded', producedStep: 7 });
      expect(await stepsOf(undisturbed)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      const expected = await allHashes(undisturbed);
      expect(new Set(expected.map((files) => files['adapter_model.safetensors'])).size).toBe(7);
      const { metrics } = await bench.checkpoint(undisturbed, 2);
      expect(metrics).toMatchObject({ 'data/step_num_gradient_steps': 6, 'loss/train': expect.any(Number) as number });

      const model = await bench.model();
      const { id } = await bench.sftJob(model, LINES, CONFIG);
      for (let kills = 0; kills < KILLS; kills++) {
        const isThere = ({ status, attempt, stepsDone }: TrainingJobRecord) =>
          status === 'running' && attempt > kills && stepsDone >= kills * 2 + 1;
        const job = await bench.until(id, (now) => now.status === 'succeeded' || isThere(now));
        if (job.status === 'succeeded') break;
        const next = bench.trainer();
        await bench.holderOf(job).stop('SIGKILL');
        await bench.expireLease(id);
        await next;
      }
      expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', producedStep: 7 });
      expect(await allHashes(model)).toEqual(expected);
    },
    LONG_MS,
  );

  it(
    'keeps them when it is cancelled, and the next job starts from the latest',
    async () => {
      const model = await bench.model();
      const config = { ...ONE_BY_ONE, checkpoint_every: 1 };
      const { id, createdBy } = await bench.rlJob(model, someGroups(100), config);
      await bench.until(id, ({ stepsDone }) => stepsDone >= 3);
      await bench.control.cancelJob(id, createdBy);
      expect(await bench.ended(id)).toMatchObject({ status: 'cancelled', producedStep: null });
      const kept = await stepsOf(model);
      expect(kept.length).toBeGreaterThanOrEqual(2);
      const next = await bench.ended((await bench.rlJob(model, someGroups(1), ONE_BY_ONE)).id);
      expect(next).toMatchObject({ status: 'succeeded', parentStep: kept.at(-1), producedStep: kept.length + 1 });
      const types = (await bench.events(id)).map(({ type }) => type);
      expect(new Set(types)).toEqual(new Set(['training_started', 'gradient_step', 'training_failed']));
    },
    LONG_MS,
  );
});
