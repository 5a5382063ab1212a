import type { TrainingJobRecord } from '@hone/training-jobs';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { someLines } from './testing/training-input.fixture.js';

/** Overfits: answers that say nothing of the ones held out, learnt at a high rate. */
const LINES = someLines(8);
const EARLY = {
  batch_size: 3,
  n_epochs: 15,
  learning_rate: 2e-2,
  validation_fraction: 0.25,
  early_stopping: { patience: 4, min_delta: 1e-4 },
  checkpoint_every: 5,
};

describe('a job with validation data', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start({ maxFailures: 99 });
    await bench.trainer();
  });
  afterAll(() => bench.close());

  async function train(config: object, lines = LINES) {
    const model = await bench.model();
    const job = await bench.ended((await bench.sftJob(model, lines, config)).id);
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    return { model, job, steps: await stepsOf(job) };
  }

  async function stepsOf({ id, numSequences }: TrainingJobRecord) {
    const events = await bench.events(id);
    expect(events.map(({ type }) => type)).toEqual([
      'training_started',
      ...Array(numSequences as number).fill('gradient_step'),
      'training_ended',
    ]);
    const steps = events
      .filter(({ type }) => type === 'gradient_step')
      .map(({ data }) => data as Record<string, number>);
    for (const step of steps) expect(Object.values(step).every(Number.isFinite)).toBe(true);
    return steps;
  }

  it(
    'tells the loss of the held-out lines at each step, and trains the others alone',
    async () => {
      const { model, job, steps } = await train({ learning_rate: 1e-3, validation_fraction: 0.25 });
      expect(job).toMatchObject({
        numSequences: 3,
        data: { trajectories: 8, trajectories_trained: 6, dropped: { validation: 2 } },
      });
      expect(steps.every((step) => (step['validation_loss'] as number) > 0)).toBe(true);
      const { metrics } = await bench.checkpoint(model, 1);
      expect(metrics).toMatchObject({ 'loss/validation': steps.at(-1)?.['validation_loss'] });
      expect(job.metrics).toMatchObject({ validation_loss: steps.at(-1)?.['validation_loss'] });
      const seldom = await train({ learning_rate: 1e-3, validation_fraction: 0.25, validation_every: 2 });
      expect(seldom.steps.map((step) => 'validation_loss' in step)).toEqual([false, true, true]);
      expect(await bench.hashes(seldom.model, 1)).toEqual(await bench.hashes(model, 1));
    },
    LONG_MS,
  );

  it(
    'stops early with the best weights, an event for each step, and the same bytes when it is killed',
    async () => {
      const { model, job, steps } = await train(EARLY);
      expect(job.numSequences).toBe(30);
      const stopped = steps.at(-1)?.['stopped_after_step'] as number;
      expect(stopped).toBeLessThan(29);
      const left = steps.slice(stopped);
      expect(left.every((step) => step['stopped_early'] === 1 && !('loss' in step))).toBe(true);
      expect(steps.slice(0, stopped).every((step) => 'loss' in step && !('stopped_early' in step))).toBe(true);
      const best = Math.min(...steps.slice(0, stopped).map((step) => step['validation_loss'] as number));
      expect(left[0]?.['best_validation_loss']).toBeLessThan(best + 1e-4);
      const { metrics } = await bench.checkpoint(model, job.producedStep as number);
      expect(metrics).toMatchObject({ 'loss/validation': left[0]?.['best_validation_loss'] });
      expect(job.tokens.processed).toBeLessThan(job.tokens.input as number);
      expect((metrics as Record<string, number>)['data/step_trainer_tokens']).toBe(job.tokens.processed);
      expect(job.producedStep).toBe(Math.floor((stopped - (stopped % 5 === 0 ? 1 : 0)) / 5) + 1);

      const again = await bench.model();
      const { id } = await bench.sftJob(again, LINES, EARLY);
      for (let kills = 0; kills < 6; kills++) {
        const isThere = (now: TrainingJobRecord) =>
          now.status === 'running' && now.attempt > kills && now.stepsDone >= kills * 3;
        const now = await bench.until(id, (one) => one.status === 'succeeded' || isThere(one));
        if (now.status === 'succeeded') break;
        const next = bench.trainer();
        await bench.holderOf(now).stop('SIGKILL');
        await bench.expireLease(id).catch(() => undefined);
        await next;
      }
      const done = await bench.ended(id);
      expect(done).toMatchObject({ status: 'succeeded', producedStep: job.producedStep });
      const numbers = (all: Record<string, number>[]) => all.map((step) => ({ ...step, tokens_per_second: 0 }));
      expect(numbers(await stepsOf(done))).toEqual(numbers(steps));
      for (let step = 1; step <= Number(job.producedStep); step++) {
        expect(await bench.hashes(again, step)).toEqual(await bench.hashes(model, step));
      }
    },
    LONG_MS,
  );

  it(
    'fails when nothing is left to hold out',
    async () => {
      const { id } = await bench.sftJob(await bench.model(), someLines(1), { validation_fraction: 0.5 });
      expect(await bench.ended(id)).toMatchObject({
        status: 'failed',
        error: { code: 'data.validation_empty', retryable: false, hint: expect.any(String) as string },
      });
    },
    LONG_MS,
  );
});
