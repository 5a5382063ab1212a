import { readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { newId } from '@hone/database';
import { readLlamaConfig, readPeftAdapter } from '@hone/engine';
import { SkyrlServer, until } from '@hone/testing';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { Demo, markedLines } from './testing/demo.fixture.js';
import { HONE_TINY, writeEnginesFile } from './testing/engines-file.fixture.js';
import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines, someThumbs } from './testing/training-input.fixture.js';

/** The adapters that the server makes; gradients of the embedded engine are not shortened, as the server's are not. */
const ALIKE = { lora: { rank: 32, alpha: 32 }, max_grad_norm: 1e6 };
const RL = { ...ONE_BY_ONE, learning_rate: 1e-3, ...ALIKE };
/** The tour compares what both engines learn, too: its spec is in every run. */
const describeLong = process.env['HONE_ENGINES_LONG'] ? describe : describe.skip;

describe('a job on a training server', () => {
  let remote: TrainerBench;
  let embedded: TrainerBench;
  let server: SkyrlServer;
  beforeAll(async () => {
    server = await SkyrlServer.start();
    remote = await TrainerBench.start({}, { HONE_ENGINES: writeEnginesFile(server.url) });
    embedded = await TrainerBench.start();
    await Promise.all([remote.trainer(), embedded.trainer()]);
  });
  afterAll(async () => {
    await remote.close();
    await embedded.close();
    await server.close();
  });

  const stepsOf = async (bench: TrainerBench, { id }: TrainingJobRecord) => {
    const job = await bench.ended(id);
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    const events = await bench.events(id);
    return events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data as Record<string, number>);
  };
  const state = async (model: string, step: number) => {
    const { uri } = await remote.checkpoint(model, step);
    return JSON.parse(readFileSync(join(await remote.store.localPath(uri), 'state.json'), 'utf8'));
  };

  it('leaves a checkpoint that the embedded engine reads, and no model at the server', async () => {
    const model = await remote.model();
    const steps = await stepsOf(remote, await remote.rlJob(model, someGroups(2), RL));
    expect(steps.length).toBe(4);
    for (const metrics of steps) {
      expect(Object.keys(metrics)).toEqual(
        expect.arrayContaining(['loss', 'grad_norm', 'learning_rate', 'offpolicy/ess']),
      );
      expect(metrics).not.toHaveProperty('entropy');
    }
    const { uri } = await remote.checkpoint(model, 1);
    const adapter = await readPeftAdapter(await remote.store.localPath(uri), await readLlamaConfig(HONE_TINY));
    expect([adapter.rank, adapter.alpha, adapter.targets.length]).toEqual([32, 32, 7]);
    const { config } = await state(model, 1);
    expect(config.engine).toMatchObject({ name: 'skyrl', kind: 'tinker', reduction: 'sequence_mean', clip: 'none' });
    expect(await remote.test.sql('SELECT 1 FROM engine_models')).toEqual([]);
    expect(await remote.test.sql('SELECT engine FROM trainable_models WHERE id = $1', [model])).toEqual([
      { engine: 'skyrl' },
    ]);

    const metrics = await remote.metrics();
    for (const part of ['engine', 'wire', 'loss']) {
      expect(metrics).toContain(`trainer_engine_step_seconds_count{engine="skyrl",part="${part}"} 4`);
    }
    expect(metrics).toContain('trainer_engine_requests_total{engine="skyrl",call="optim_step",outcome="ok"} 4');

    // The next job starts from weights and moments that the server kept.
    const next = await stepsOf(remote, await remote.rlJob(model, someGroups(2), RL));
    expect(next[0]?.['loss']).not.toBeCloseTo(steps[0]?.['loss'] as number, 3);
    expect((await state(model, 2)).config.engine.weights).not.toBe(config.engine.weights);
  });

  it('stops early with the weights of the lowest validation loss', async () => {
    const model = await remote.model();
    const lines = someLines(8);
    const held = { batch_size: 3, validation_fraction: 0.25 };
    const early = { n_epochs: 15, learning_rate: 2e-2, early_stopping: { patience: 4, min_delta: 1e-3 } };
    const steps = await stepsOf(remote, await remote.sftJob(model, lines, { ...ALIKE, ...held, ...early }));
    const last = steps.at(-1) as Record<string, number>;
    expect(last).toMatchObject({ stopped_early: 1, stopped_after_step: expect.any(Number) });
    expect(steps.filter((step) => 'loss' in step).length).toBe(last['stopped_after_step']);
    // A job that changes nothing evaluates the same lines under the checkpoint's weights.
    const [again] = await stepsOf(remote, await remote.sftJob(model, lines, { ...ALIKE, ...held, learning_rate: 0 }));
    expect(again?.['validation_loss']).toBeCloseTo(last['best_validation_loss'] as number, 3);
    expect(await remote.test.sql('SELECT 1 FROM engine_models')).toEqual([]);
  });

  it('leaves nothing at the server of a checkpoint that was deleted', async () => {
    const model = await remote.model();
    await stepsOf(remote, await remote.rlJob(model, someGroups(1), RL));
    const { engine } = await remote.checkpoint(model, 1);
    const name = (engine as { weights: string }).weights.split('/').at(-1) as string;
    const keptFiles = () => readdirSync(server.folder, { recursive: true }).filter((path) => `${path}`.includes(name));
    expect(keptFiles().length).toBeGreaterThan(0);
    // As the collector leaves its row.
    await remote.test.sql('UPDATE checkpoints SET deleted_at = now(), bytes_gone_at = now() WHERE model_id = $1', [
      model,
    ]);
    const areGone = () => {
      try {
        return keptFiles().every((path) => `${path}`.endsWith('.probe'));
      } catch (error) {
        // A folder went while it was read.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    };
    await until(areGone, 'the weights are deleted', LONG_MS);
    const rows = () => remote.test.sql('SELECT path FROM engine_weights WHERE path LIKE $1', [`%${name}`]);
    await until(async () => (await rows()).length === 0, 'they are forgotten', LONG_MS);
  });

  describe('from the same adapter', () => {
    const starts = new Map<'rl' | 'sft', { remote: string; embedded: string }>();
    beforeAll(async () => {
      // Jobs of the other kind that change nothing: moments are taken over by jobs of the same kind only.
      for (const kind of ['rl', 'sft'] as const) {
        const model = await remote.model();
        const still = { ...RL, learning_rate: 0 };
        const job =
          kind === 'sft'
            ? remote.rlJob(model, someGroups(1), still)
            : remote.sftJob(model, someLines(2), { ...ALIKE, learning_rate: 0 });
        expect(await remote.ended((await job).id)).toMatchObject({ status: 'succeeded', producedStep: 1 });
        starts.set(kind, { remote: model, embedded: await copyModel(remote, model, embedded) });
      }
    });

    const bothSteps = (kind: 'rl' | 'sft', input: readonly object[], config: object) =>
      Promise.all(
        [remote, embedded].map(async (bench) => {
          const model = starts.get(kind)?.[bench === remote ? 'remote' : 'embedded'] as string;
          const more = { ...config, parent_step: 1 };
          const job = kind === 'rl' ? bench.rlJob(model, input, more) : bench.sftJob(model, input, more);
          return stepsOf(bench, await job);
        }),
      );

    /** Moments of either start are of another kind. */
    const bothPreferenceSteps = (input: readonly object[], config: object) =>
      Promise.all(
        [remote, embedded].map(async (bench) => {
          const model = starts.get('rl')?.[bench === remote ? 'remote' : 'embedded'] as string;
          return stepsOf(bench, await bench.preferenceJob(model, input, { ...config, parent_step: 1 }));
        }),
      );

    const somePairs = (count: number): object[] =>
      someThumbs(count).map((line, index) => ({
        prompt: (line as { prompt: string }).prompt,
        chosen: `w${index}`,
        rejected: 'no',
      }));

    it.each<[string, object[], object]>([
      ['DPO', somePairs(8), { method: 'dpo' }],
      ['IPO', somePairs(8), { method: 'ipo', beta: 20 }],
      ['ORPO', somePairs(8), { method: 'orpo' }],
      ['KTO', someThumbs(8), { method: 'kto' }],
      ['DPO from the base', somePairs(8), { method: 'dpo', reference: 'base' }],
    ])('takes the steps of the embedded engine by preferences, with %s', async (_, lines, more) => {
      const steps = await bothPreferenceSteps(lines, {
        ...ALIKE,
        batch_size: 4,
        n_epochs: 2,
        learning_rate: 1e-3,
        ...more,
      });
      expect(steps[0]?.length).toBe(4);
      assertSame(steps);
    });

    it.each<[string, object]>([
      ['CISPO by token', {}],
      ['CISPO by sequence', { importance_sampling_level: 'sequence' }],
      ['PPO by token', { loss_fn: 'ppo' }],
      ['PPO by sequence', { loss_fn: 'ppo', importance_sampling_level: 'sequence' }],
      ['a KL penalty', { kl_penalty_coef: 0.1 }],
      ['log-probabilities taken anew, truncated', { precalculate_logprobs: true, truncated_importance_sampling: 2 }],
    ])('takes the steps of the embedded engine with %s', async (_, more) => {
      assertSame(await bothSteps('rl', someGroups(2), { ...RL, ...more }));
    });

    describeLong('the same rollouts and examples', () => {
      /** A checkpoint's shares of held-out questions differ by so many points at most. */
      const POINTS = 3;
      let demo: Demo;
      beforeAll(async () => {
        demo = await Demo.open();
      });
      afterAll(() => demo.close());

      const folderOf = async (bench: TrainerBench, model: string, step: number) =>
        bench.store.localPath((await bench.checkpoint(model, step)).uri);
      const modelOf = (kind: 'rl' | 'sft', bench: TrainerBench) =>
        starts.get(kind)?.[bench === remote ? 'remote' : 'embedded'] as string;
      const stepsMade = async (bench: TrainerBench, model: string) =>
        (await bench.test.db.client.trainableModel.findUniqueOrThrow({ where: { id: model } })).lastStep;

      it('teach both engines as much by rewards', async () => {
        const [ours, theirs] = [modelOf('rl', embedded), modelOf('rl', remote)];
        const folders = { ours: null as string | null, theirs: null as string | null };
        const before = await demo.rewarded(null);
        let parents = [1, 1];
        for (let round = 0; round < 6; round++) {
          const groups = await demo.rollOut(folders.ours, round);
          const config = (parent_step: number) => ({ ...ALIKE, learning_rate: 2e-3, parent_step });
          const jobs = [
            await embedded.rlJob(ours, groups, config(parents[0]!)),
            await remote.rlJob(theirs, groups, config(parents[1]!)),
          ] as const;
          await Promise.all([stepsOf(embedded, jobs[0]), stepsOf(remote, jobs[1])]);
          parents = [await stepsMade(embedded, ours), await stepsMade(remote, theirs)];
          folders.ours = await folderOf(embedded, ours, parents[0]!);
          folders.theirs = await folderOf(remote, theirs, parents[1]!);
        }
        const shares = [await demo.rewarded(folders.ours), await demo.rewarded(folders.theirs)] as const;
        console.log(
          `Held-out questions, by rewards: ${before} % before, embedded ${shares[0]} %, SkyRL ${shares[1]} %`,
        );
        expect(Math.abs(shares[0] - shares[1])).toBeLessThanOrEqual(POINTS);
        expect(Math.min(...shares)).toBeGreaterThan(before);
      });

      it('teach both engines as much by examples', async () => {
        const config = { batch_size: 4, learning_rate: 5e-3, ...ALIKE, parent_step: 1 };
        const shares = await Promise.all(
          [embedded, remote].map(async (bench) => {
            const model = modelOf('sft', bench);
            await stepsOf(bench, await bench.sftJob(model, markedLines(), config));
            return demo.marked(await folderOf(bench, model, await stepsMade(bench, model)));
          }),
        );
        console.log(`Held-out questions, by examples: embedded ${shares[0]} %, SkyRL ${shares[1]} %`);
        expect(Math.abs(shares[0]! - shares[1]!)).toBeLessThanOrEqual(POINTS);
        expect(Math.min(...shares)).toBeGreaterThan(50 + (await demo.marked(null)));
      });
    });

    it('takes twenty steps by rewards as the embedded engine does', async () => {
      const steps = await bothSteps('rl', someGroups(10), RL);
      expect(steps[0]?.length).toBe(20);
      assertSame(steps);
    });

    it('takes twenty steps by examples as the embedded engine does', async () => {
      const steps = await bothSteps('sft', someLines(80), { batch_size: 4, learning_rate: 1e-3, ...ALIKE });
      expect(steps[0]?.length).toBe(20);
      assertSame(steps);
      expect(steps[0]?.at(-1)?.['loss']).toBeLessThan((steps[0]?.[0]?.['loss'] as number) * 0.9);
    });
  });
});

/** A model of another bench that starts from the same checkpoint. @returns its id */
async function copyModel(from: TrainerBench, modelId: string, to: TrainerBench): Promise<string> {
  const { uri, manifestSha256, kind } = await from.checkpoint(modelId, 1);
  const model = await to.model();
  const folder = await to.store.createFolder();
  await cp(await from.store.localPath(uri), folder.path, { recursive: true });
  const stored = await folder.commit(`models/${model}/step-1`);
  await to.test.db.client.trainableModel.update({ where: { id: model }, data: { lastStep: 1 } });
  await to.test.db.client.checkpoint.create({
    data: {
      projectId: to.projectId,
      id: newId(),
      modelId: model,
      step: 1,
      parentStep: 0,
      kind,
      uri: stored.uri,
      bytes: stored.bytes,
      manifestSha256,
      metrics: {},
    },
  });
  return model;
}

/** Both have the same weights and take the same steps: what they report differs by rounding. */
function assertSame([theirs = [], ours = []]: Record<string, number>[][]): void {
  expect(theirs.length).toBe(ours.length);
  expect(Math.max(...ours.map((metrics) => metrics['grad_norm'] as number))).toBeGreaterThan(1e-3);
  const largest = (name: string, steps: number) =>
    Math.max(...ours.slice(0, steps).map((own, k) => Math.abs((theirs[k]?.[name] as number) - (own[name] as number))));
  for (const name of [
    'loss',
    'grad_norm',
    'offpolicy/ratio_mean',
    'offpolicy/ess',
    'kl_policy_ref',
    'rewards/margin',
  ]) {
    if (name in (ours[0] ?? {})) expect([name, largest(name, 1) < 1e-4]).toEqual([name, true]);
  }
  expect(largest('loss', ours.length)).toBeLessThan(2e-2);
}
