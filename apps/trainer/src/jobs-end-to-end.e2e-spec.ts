import { type ServiceProcess, until } from '@hone/testing';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines } from './testing/training-input.fixture.js';

describe('a trainer and its jobs', () => {
  let bench: TrainerBench;
  let trainer: ServiceProcess;
  beforeAll(async () => {
    bench = await TrainerBench.start();
    trainer = await bench.trainer();
  }, LONG_MS);
  afterAll(() => bench.close());

  it(
    'learns from rewards, and says everything there is to say',
    async () => {
      const model = await bench.model();
      const { id } = await bench.rlJob(model, someGroups(2), ONE_BY_ONE);
      const job = await bench.ended(id);
      expect(job).toMatchObject({
        status: 'succeeded',
        attempt: 1,
        failures: 0,
        error: null,
        numSequences: 4,
        stepsDone: 4,
        parentStep: 0,
        producedStep: 1,
        tokens: { input: 48, trainable: 28, processed: 48 },
        data: {
          groups_submitted: 2,
          groups_trainable: 2,
          trajectories: 4,
          trajectories_trained: 4,
          dropped: {},
          reward_mean: 0.5,
          reward_std_dev: 0.5,
          reward_zero_share: 0.5,
        },
      });
      const events = await bench.events(id);
      expect(events.map(({ type }) => type)).toEqual([
        'training_started',
        ...Array(4).fill('gradient_step'),
        'training_ended',
      ]);
      expect(events[0]?.data).toEqual({
        num_sequences: 4,
        num_groups_submitted: 2,
        num_groups_trainable: 2,
        num_trajectories: 4,
        num_trainable_tokens: 28,
        parent_step: 0,
        reward_mean: 0.5,
        reward_std_dev: 0.5,
        reward_zero_share: 0.5,
      });
      for (const { data } of events.slice(1, 5)) {
        expect(Object.values(data).every((value) => Number.isFinite(value))).toBe(true);
        expect(Object.keys(data)).toEqual(expect.arrayContaining(['loss', 'grad_norm', 'entropy', 'learning_rate']));
        // Each row has one trajectory, of reward 0 or 1.
        expect(data).toMatchObject({ 'row/reward_std_dev': 0, 'row/num_trajectories': 1 });
        expect([data['row/reward_mean'], data['row/reward_zero_share']].toSorted()).toEqual([0, 1]);
        expect(data['kl_policy_ref']).toEqual(expect.any(Number));
      }
      const checkpoint = await bench.checkpoint(model, 1);
      expect(events[5]?.data).toEqual({ step: 1, checkpoint_id: checkpoint.id, num_gradient_steps: 4 });
      expect(checkpoint.metrics).toMatchObject({
        'loss/learning_rate': 1e-3,
        'loss/train': expect.any(Number),
        'data/step_num_gradient_steps': 4,
        'data/step_num_trajectories': 4,
        'data/step_trainer_tokens': 48,
        'data/step_reward_mean': 0.5,
        'data/step_reward_std_dev': 0.5,
        'data/step_reward_zero_share': 0.5,
        'loss/kl_policy_ref': expect.any(Number),
      });
      expect(Number(checkpoint.bytes)).toBe((await bench.store.stat(checkpoint.uri))?.bytes);
    },
    LONG_MS,
  );

  it(
    'learns from examples',
    async () => {
      const model = await bench.model();
      const config = { batch_size: 2, learning_rate: 1e-3, metric_logging: { enabled: true } };
      const { id } = await bench.sftJob(model, someLines(5), config);
      const job = await bench.ended(id);
      expect(job).toMatchObject({ status: 'succeeded', numSequences: 3, stepsDone: 3 });
      const { metrics } = await bench.checkpoint(model, 1);
      expect(metrics).toMatchObject({ 'sft/loss': job.metrics['loss'], 'loss/train': job.metrics['loss'] });
    },
    LONG_MS,
  );

  it(
    'is seen while it lives, and tells what it has done',
    async () => {
      const read = () =>
        bench.test.sql('SELECT engines, current_job_id, now() - seen_at < $1::interval AS fresh FROM workers', [
          '1 min',
        ]);
      // The job's end is committed before the trainer says that it has no job.
      await until(async () => (await read())[0]?.['current_job_id'] === null, 'the trainer is idle', LONG_MS);
      expect(await read()).toEqual([{ engines: ['embedded'], current_job_id: null, fresh: true }]);
      const metrics = await (await fetch(`${trainer.url}/metrics`)).text();
      expect(metrics).toContain('trainer_attempts_total{outcome="succeeded"} 2');
      expect(metrics).toContain('trainer_gradient_steps_total 7');
      expect(await trainer.stop()).toBe(0);
      expect(await bench.test.sql('SELECT 1 FROM workers')).toEqual([]);
    },
    LONG_MS,
  );
});
