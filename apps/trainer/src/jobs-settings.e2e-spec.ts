import { roundsOf } from '@hone/testing';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines } from './testing/training-input.fixture.js';

const RATE = { learning_rate: 1e-3 };
const SETTINGS = {
  ...RATE,
  n_epochs: 4,
  lr_schedule: 'cosine',
  warmup_steps: 2,
  weight_decay: 0.5,
  max_grad_norm: 0.01,
  seed: 11,
  lora: { rank: 3, alpha: 5, target_modules: ['q_proj', 'down_proj'] },
};
const LINES = someLines(6);
const KILLS = roundsOf(4, 'HONE_JOB_KILLS');

describe('the settings of a job', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start({ maxFailures: 99 });
    await bench.trainer();
  });
  afterAll(() => bench.close());

  async function sft(config: object, lines = LINES) {
    const model = await bench.model();
    const job = await bench.ended((await bench.sftJob(model, lines, config)).id);
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    return { job, hashes: await bench.hashes(model, 1), steps: await stepsOf(job.id) };
  }

  async function stepsOf(jobId: string) {
    const events = await bench.events(jobId);
    expect(events.map(({ type }) => type)).toEqual([
      'training_started',
      ...Array((await bench.find(jobId)).numSequences as number).fill('gradient_step'),
      'training_ended',
    ]);
    return events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data);
  }

  it(
    'repeat the batches in each epoch, at the rates of the schedule',
    async () => {
      const { job, steps } = await sft(SETTINGS);
      expect(job).toMatchObject({
        numSequences: 12,
        stepsDone: 12,
        data: { trajectories: 6, trajectories_trained: 6 },
      });
      const decay = (at: number) => 0.5e-3 * (1 + Math.cos((Math.PI * at) / 10));
      expect(steps.map((step) => step['learning_rate'])).toEqual([
        ...[1e-3 / 3, 2e-3 / 3].map((rate) => expect.closeTo(rate, 12)),
        ...Array.from({ length: 10 }, (_, at) => expect.closeTo(decay(at), 12)),
      ]);
      expect(job.tokens.processed).toBe(job.tokens.input);
      const trained = steps.reduce((sum, step) => sum + Number(step['num_trainable_tokens']), 0);
      expect(trained).toBe(job.tokens.trainable);
      const [first, last] = [steps[0], steps.at(-3)].map((step) => Number(step?.['loss'])) as [number, number];
      expect(last).toBeLessThan(first);
    },
    LONG_MS,
  );

  it(
    'change nothing when they are the defaults, and something each when they are not',
    async () => {
      const { hashes } = await sft(RATE);
      const defaults = { n_epochs: 1, lr_schedule: 'constant', warmup_steps: 0, weight_decay: 0, max_grad_norm: 1 };
      expect((await sft({ ...RATE, ...defaults, seed: 3407 })).hashes).toEqual(hashes);
      const others = [
        { weight_decay: 0.5 },
        { max_grad_norm: 1e-4 },
        { seed: 1 },
        { lr_schedule: 'linear' },
        { lora: { alpha: 8 } },
        { lora: { use_rslora: true } },
        { lora: { rank_pattern: { q_proj: 2 } } },
        { lora: { alpha_pattern: { 'layers.0.mlp.up_proj': 2 } } },
      ];
      const weights = new Set([hashes['adapter_model.safetensors']]);
      for (const other of others) weights.add((await sft({ ...RATE, ...other })).hashes['adapter_model.safetensors']);
      expect(weights.size).toBe(1 + others.length);
    },
    LONG_MS,
  );

  it(
    'decide on the adapter: a new one, one that grows, never one that loses weights',
    async () => {
      const model = await bench.model();
      const settingsOf = async (step: number) => {
        const { uri } = await bench.checkpoint(model, step);
        const bytes = await bench.store.read(
          `${uri}/adapter_config.json`,
          (await bench.hashes(model, step))['adapter_config.json'] as string,
        );
        const { r, lora_alpha, target_modules, ...rest } = JSON.parse(bytes.toString()) as Record<string, unknown>;
        const { use_rslora, rank_pattern, alpha_pattern } = rest;
        return { r, lora_alpha, target_modules, use_rslora, rank_pattern, alpha_pattern };
      };
      const train = async (lora: object | null, more: object = {}) =>
        bench.ended((await bench.sftJob(model, LINES, { ...RATE, ...more, lora })).id);
      const small = { rank: 2, alpha: 4, target_modules: ['v_proj', 'q_proj'] };
      const plain = { use_rslora: false, rank_pattern: {}, alpha_pattern: {} };
      const targets = ['q_proj', 'v_proj'];
      expect(await train(small)).toMatchObject({ status: 'succeeded' });
      expect(await settingsOf(1)).toEqual({ r: 2, lora_alpha: 4, target_modules: targets, ...plain });
      expect(await train(null)).toMatchObject({ status: 'succeeded' });
      expect(await settingsOf(2)).toEqual(await settingsOf(1));
      const first = (await stepsOf((await train({ rank: 4 })).id))[0]?.['loss'];
      expect(await settingsOf(3)).toEqual({ r: 4, lora_alpha: 4, target_modules: targets, ...plain });
      expect(first).toBeLessThan(Number((await sft(RATE)).steps[0]?.['loss']));
      const variant = {
        use_rslora: true,
        rank_pattern: { v_proj: 6 },
        alpha_pattern: { 'layers.0.self_attn.q_proj': 9, q_proj: 3 },
      };
      const grown = (await stepsOf((await train(variant)).id))[0]?.['loss'];
      expect(await settingsOf(4)).toEqual({ r: 4, lora_alpha: 4, target_modules: targets, ...variant });
      // The database sorts keys the other way; readers of the file take the first that fits.
      expect(Object.keys((await settingsOf(4)).alpha_pattern as object)).toEqual(Object.keys(variant.alpha_pattern));
      expect(grown).toBeLessThan(Number(first));
      expect(await train(null)).toMatchObject({ status: 'succeeded' });
      expect(await settingsOf(5)).toEqual(await settingsOf(4));
      for (const lora of [{ rank: 2 }, { target_modules: ['q_proj'] }, { rank_pattern: { v_proj: 5 } }]) {
        expect(await train(lora)).toMatchObject({
          status: 'failed',
          error: { code: 'config.lora_mismatch', retryable: false, hint: expect.stringContaining('rank') as string },
        });
      }
      // It grew without another effect: from the same checkpoint, the adapter as it was has the same loss.
      const unchanged = (await stepsOf((await train(null, { parent_step: 3 })).id))[0]?.['loss'];
      expect(grown).toBeCloseTo(Number(unchanged), 4);
    },
    LONG_MS,
  );

  it(
    'fork from a checkpoint: the same bytes as if the later ones were not there',
    async () => {
      const model = await bench.model();
      const train = async (more: object) => bench.ended((await bench.sftJob(model, LINES, { ...RATE, ...more })).id);
      await train({});
      await train({});
      const [fork, fresh] = [await train({ parent_step: 1 }), await train({ parent_step: 0 })];
      expect(fork).toMatchObject({ status: 'succeeded', parentStep: 1, producedStep: 3 });
      expect(fresh).toMatchObject({ status: 'succeeded', parentId: null, parentStep: 0, producedStep: 4 });
      expect(await bench.hashes(model, 3)).toEqual(await bench.hashes(model, 2));
      expect(await bench.hashes(model, 4)).toEqual(await bench.hashes(model, 1));
      expect((await bench.events(fork.id))[0]).toMatchObject({ data: { parent_step: 1 } });
      await bench.test.sql('UPDATE checkpoints SET deleted_at = now() WHERE model_id = $1', [model]);
      const gone = await bench.job(model, 'sft', { ...RATE, parent_step: 4 }, JSON.stringify(LINES[0]));
      expect(await bench.ended(gone.id)).toMatchObject({
        status: 'failed',
        error: { code: 'config.parent_step_not_found', loc: [['config', 'parent_step']], retryable: false },
      });
    },
    LONG_MS,
  );

  it(
    'order the rows of reinforcement learning by the seed',
    async () => {
      const rl = async (config: object) => {
        const { id } = await bench.rlJob(await bench.model(), someGroups(4), { ...ONE_BY_ONE, ...config });
        expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', numSequences: 8 });
        return stepsOf(id);
      };
      const usual = await rl({ lr_schedule: 'linear' });
      expect(await rl({ lr_schedule: 'linear', seed: 3407 })).toEqual(usual);
      expect((await rl({ lr_schedule: 'linear', seed: 2 })).map((step) => step['loss'])).not.toEqual(
        usual.map((step) => step['loss']),
      );
      expect(usual.map((step) => step['learning_rate'])).toEqual(
        Array.from({ length: 8 }, (_, at) => expect.closeTo(1e-3 * (1 - at / 8), 12) as number),
      );
    },
    LONG_MS,
  );

  it(
    'hold when the worker is killed every three steps: the bytes are the same',
    async () => {
      const { hashes } = await sft(SETTINGS);
      const model = await bench.model();
      const { id } = await bench.sftJob(model, LINES, SETTINGS);
      for (let kills = 0; kills < KILLS; kills++) {
        const isThere = ({ status, attempt, stepsDone }: TrainingJobRecord) =>
          status !== 'queued' && attempt > kills && stepsDone >= kills * 3;
        const job = await bench.until(id, (now) => now.status === 'succeeded' || isThere(now));
        if (job.status === 'succeeded') break;
        const next = bench.trainer();
        await bench.holderOf(job).stop('SIGKILL');
        await bench.expireLease(id).catch(() => undefined);
        await next;
      }
      expect(await bench.ended(id)).toMatchObject({ status: 'succeeded' });
      expect(await bench.hashes(model, 1)).toEqual(hashes);
      await stepsOf(id);
    },
    LONG_MS,
  );
});
