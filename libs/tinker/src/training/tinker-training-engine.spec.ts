import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  type DecoderShape,
  readDecoderShape,
  resolveRlConfig,
  type StepMetrics,
  type StoredPart,
  type TrainingSpec,
} from '@hone/engine';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { anAdapterArchive } from '../testing/adapter-archive.fixture.js';
import { TinkerServerDouble } from '../testing/tinker-server.fixture.js';
import { aPairsSpec, aStoppingSpec, aTrainingSpec, ROWS } from '../testing/training-spec.fixture.js';
import type { StepSeconds } from '../wire/engine-observer.js';
import { TinkerClient } from '../wire/tinker-client.js';
import { requestMessage } from '../wire/tinker-schema.js';
import { TinkerTrainingEngine } from './tinker-training-engine.js';

const MODELS = join(import.meta.dirname, '../../../../models');
const TIMES = { connectMs: 5_000, silenceMs: 5_000, pollMs: 1_000, patienceMs: 500, beatMs: 20 };
const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

describe('training on a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-remote-'));
  let config: DecoderShape;
  let server: TinkerServerDouble;
  let engine: TinkerTrainingEngine;
  let engineOf: (settings: TinkerSettings) => TinkerTrainingEngine;
  let registered: Set<string>;
  let kept: Set<string>;
  let observed: StepSeconds[];
  let attempt = 0;
  beforeAll(async () => {
    config = await readDecoderShape(join(MODELS, 'hone-tiny'));
  });
  beforeEach(async () => {
    server = await TinkerServerDouble.start();
    server.archive = await anAdapterArchive(config);
    registered = new Set();
    kept = new Set();
    const settings = server.settings({
      baseModels: new Map([['hone-tiny', { servedAs: 'tiny', path: join(MODELS, 'hone-tiny') }]]),
    });
    const registry = {
      add: async ({ modelId }: { modelId: string }) => void registered.add(modelId),
      remove: async (_: string, modelId: string) => void registered.delete(modelId),
      addWeights: async ({ path }: { path: string }) => void kept.add(path),
      removeWeights: async (_: string, path: string) => void kept.delete(path),
    };
    const options = { sources: { bundledDir: MODELS, modelsDir: null }, maxArchiveBytes: 5_000_000 };
    observed = [];
    const observer = { request: () => undefined, step: (_: string, parts: StepSeconds) => void observed.push(parts) };
    engineOf = (its) => new TinkerTrainingEngine(its, options, registry, new TinkerClient(its, TIMES, observer));
    engine = engineOf(settings);
  });
  afterEach(async () => {
    await engine.client.close();
    await server.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const aSpec = (more: Partial<TrainingSpec> = {}) => aTrainingSpec(folder, { attempt: ++attempt, ...more });
  const sinkOf = () => {
    const steps: [number, StepMetrics][] = [];
    const points: (StoredPart & { k: number })[] = [];
    return {
      steps,
      points,
      step: async (k: number, metrics: StepMetrics): Promise<void> => void steps.push([k, metrics]),
      checkpoint: async () => undefined,
      resumePoint: async (k: number, part: StoredPart) => void points.push({ ...part, k }),
      log: () => undefined,
    };
  };
  const run = (spec: TrainingSpec, sink = sinkOf(), cancel = new AbortController().signal, drain?: AbortSignal) =>
    engine.run(spec, { cancel, drain }, sink);
  const pathsOf = (path: string) => server.pathsSeen().filter((one) => one.startsWith(path)).length;

  it('takes every step, leaves resume points and a checkpoint, and unloads its model', async () => {
    const sink = sinkOf();
    const result = await run(aSpec(), sink);
    expect(sink.steps.map(([k]) => k)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(sink.steps[0]?.[1]).toMatchObject({ grad_norm: 0.5, 'offpolicy/ratio_mean': 1, learning_rate: 1e-3 });
    expect(sink.steps.map(([, metrics]) => typeof metrics['kl_policy_ref'])).toEqual(Array(ROWS).fill('number'));
    expect(sink.points.map(({ k }) => k)).toEqual([5, 10]);
    const deleted = server.seen.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
    expect(deleted).toEqual([
      expect.stringMatching(/\/weights\/.*-resume-5$/),
      expect.stringMatching(/\/sampler_weights\//),
    ]);
    const directory = fileURLToPath((result as { checkpoint: StoredPart }).checkpoint.uri);
    expect(JSON.parse(readFileSync(join(directory, 'state.json'), 'utf8'))).toMatchObject({
      kind: 'lora',
      step: ROWS,
      config: { kind: 'rl', engine: { name: 'double', kind: 'tinker', clip: 'none', alpha: 32 } },
    });
    expect(pathsOf('unload_model')).toBe(2); // of the reference, and of the job
    expect(registered.size).toBe(0);
    expect([...kept]).toEqual([
      expect.stringMatching(/^tinker:\/\/.*\/weights\/.*-resume-10$/),
      expect.stringMatching(/^tinker:\/\/.*\/weights\/.*-checkpoint$/),
    ]);
  });

  it('goes on after a resume point, and begins anew when the server has lost it', async () => {
    const stopped = new AbortController();
    const first = sinkOf();
    const { step } = first;
    first.step = async (k, metrics) => {
      if (k === 7) stopped.abort();
      return step(k, metrics);
    };
    expect(await run(aSpec(), first, undefined, stopped.signal)).toEqual({ status: 'drained' });
    const resume = first.points.at(-1) as StoredPart & { k: number };
    expect(resume.k).toBe(7);

    const second = sinkOf();
    await run(aSpec({ resume }), second);
    expect(second.steps.map(([k]) => k)).toEqual([8, 9, 10, 11, 12]);

    server.tricks.set(
      'load_weights',
      (_, response) => void response.writeHead(404).end('{"detail":"Model not found"}'),
    );
    const third = sinkOf();
    await run(aSpec({ resume }), third);
    expect(third.steps.length).toBe(ROWS);
    expect(registered.size).toBe(0);
  });

  /** Evaluations give these losses, and 9 after them. */
  const losing = (losses: readonly number[], sink = sinkOf()) => {
    const { step } = sink;
    const lose = (k: number) => (server.logProbability = -(losses[k - 1] ?? 9));
    lose(1);
    sink.step = async (k, metrics) => (lose(k + 1), step(k, metrics));
    return sink;
  };
  const savedNames = () =>
    server.seen.filter(({ path }) => path === 'save_weights').map(({ body }) => /-a\d+-([\w-]+)"/.exec(`${body}`)?.[1]);

  it('stops early with the weights of the lowest validation loss, which the server has kept', async () => {
    const sink = losing([3, 2, 4, 1, 1]);
    const result = await run(aStoppingSpec(folder, 3), sink);
    expect(sink.steps.length).toBe(ROWS);
    expect(sink.steps.slice(0, 4).map(([, { validation_loss: loss }]) => loss)).toEqual([3, 2, 4, 1]);
    expect(sink.steps.at(-1)?.[1]).toEqual({ stopped_early: 1, stopped_after_step: 7, best_validation_loss: 1 });
    expect(savedNames()).toEqual(['best-1', 'best-2', 'best-4', 'resume-5', 'checkpoint']);
    expect(pathsOf('optim_step')).toBe(7);
    const load = JSON.parse(server.seen.find(({ path }) => path === 'load_weights')!.body.toString()) as object;
    expect(load).toMatchObject({ path: expect.stringMatching(/-best-4$/), optimizer: true });
    const directory = fileURLToPath((result as { checkpoint: StoredPart }).checkpoint.uri);
    expect(JSON.parse(readFileSync(join(directory, 'state.json'), 'utf8'))).toMatchObject({ step: 4 });
    // The resume point names the best weights: the job's commit may yet fail.
    expect([...kept].map((path) => path.split(/-a\d+-/)[1])).toEqual(['best-4', 'resume-5', 'checkpoint']);
    expect(registered.size).toBe(0);
  });

  it('goes on from a resume point with what early stopping knew', async () => {
    const cut = new AbortController();
    const first = losing([3, 1, 2, 2]);
    const { step } = first;
    first.step = async (k, metrics) => {
      if (k === 4) cut.abort();
      return step(k, metrics);
    };
    const spec = aStoppingSpec(folder, 4);
    expect(await run(spec, first, undefined, cut.signal)).toEqual({ status: 'drained' });
    const second = losing([]);
    await run({ ...aStoppingSpec(folder, 4), resume: first.points.at(-1)! }, second);
    expect(second.steps[0]).toEqual([5, expect.objectContaining({ validation_loss: 9, best_validation_loss: 1 })]);
    expect(second.steps.at(-1)?.[1]).toMatchObject({ stopped_after_step: 6 });
    const loads = server.seen
      .filter(({ path }) => path === 'load_weights')
      .map(({ body }) => /best-\d+/.exec(`${body}`));
    expect(loads.map((found) => found?.[0])).toEqual([undefined, 'best-2']);
  });

  it('takes the last weights where the last evaluation was the best', async () => {
    await run(aStoppingSpec(folder, 3), losing(Array.from({ length: ROWS }, (_, at) => 5 - at / 10)));
    expect([pathsOf('optim_step'), pathsOf('load_weights')]).toEqual([ROWS, 0]);
  });

  it('goes on with the moments of a job of the same kind and method alone', async () => {
    const learnt = async (spec: TrainingSpec) => (await run(spec)) as { checkpoint: StoredPart };
    const { checkpoint: parent } = await learnt(aPairsSpec(folder, 'dpo', { attempt: ++attempt }));
    const { checkpoint: byRewards } = await learnt(aSpec());
    const loadsMoments = async (spec: TrainingSpec) => {
      await run(spec);
      const load = server.seen.filter(({ path }) => path === 'load_weights').at(-1)!;
      return (JSON.parse(load.body.toString()) as { optimizer: boolean }).optimizer;
    };
    expect(await loadsMoments(aPairsSpec(folder, 'dpo', { attempt: ++attempt, parent }))).toBe(true);
    expect(await loadsMoments(aPairsSpec(folder, 'ipo', { attempt: ++attempt, parent }))).toBe(false);
    expect(await loadsMoments(aPairsSpec(folder, 'dpo', { attempt: ++attempt, parent: byRewards }))).toBe(false);
    expect(await loadsMoments(aSpec({ parent: byRewards }))).toBe(true);
  });

  it('reports where the time of each step goes', async () => {
    server.tricks.set('optim_step', (seen, response) => {
      setTimeout(() => server.answerWell(seen.path, seen.body, response), 50);
    });
    await run(aSpec());
    expect(observed.length).toBe(ROWS);
    // A timer may be early by a millisecond.
    expect(Math.min(...observed.map(({ engine }) => engine))).toBeGreaterThan(0.048);
    expect(observed.every(({ wire, loss }) => wire > 0 && loss >= 0)).toBe(true);
  });

  it('stops between two requests when it is cancelled, and unloads its model', async () => {
    const cancel = new AbortController();
    const sink = sinkOf();
    sink.step = async () => cancel.abort(new Error('cancelled'));
    await expect(run(aSpec(), sink, cancel.signal)).rejects.toThrow('cancelled');
    expect([pathsOf('optim_step'), pathsOf('unload_model'), registered.size]).toEqual([1, 2, 0]);
  });

  it('numbers its requests, and keeps its session alive', async () => {
    server.tricks.set('optim_step', (_, response) => {
      setTimeout(() => response.destroy(), 30);
      server.tricks.delete('optim_step');
    });
    await run(aSpec());
    const passes = server.seen.filter(({ path }) => path === 'forward_backward');
    const numbers = passes.map(({ body }) => (requestMessage().decode(body) as unknown as { seqId: number }).seqId);
    // Of the reference, a pass for each row; then of the job, whose steps have numbers of their own.
    expect(numbers.slice(0, ROWS)).toEqual(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(numbers.slice(ROWS, ROWS + 4)).toEqual([1, 2, 4, 5]);
    const steps = server.seen.filter(({ path }) => path === 'optim_step').map(({ body }) => body.toString());
    expect([steps.length, steps[0]]).toEqual([ROWS + 1, steps[1]]);
    expect(pathsOf('session_heartbeat')).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<Buffer>, string]>([
    ['is cut short', async () => firstHalf(await anAdapterArchive(config)), 'not whole gzip'],
    [
      'has a value that is not finite',
      () => anAdapterArchive(config, { spoil: (values) => (values[9] = NaN) }),
      'not finite',
    ],
    ['leads out of its folder', () => anAdapterArchive(config, { more: ['../x'] }), 'not allowed in an archive'],
    ['is no archive', async () => Buffer.from('<html>'), 'not a tar archive'],
    ['has another shape', () => anAdapterArchive({ ...config, hiddenSize: 64 }), 'the shape'],
    ['has too many layers', () => anAdapterArchive({ ...config, numLayers: 9 }), 'no place'],
    [
      'has values that overflow',
      () => anAdapterArchive(config, { spoil: (values) => values.fill(1e30) }),
      'values above',
    ],
  ])('takes over no adapter whose archive %s', async (_, archive, reason) => {
    server.archive = await archive();
    const spec = aSpec();
    const error = (await run(spec).catch((caught: unknown) => caught)) as { code: string; message: string };
    expect([error.code, error.message]).toEqual(['engine.failed', expect.stringContaining(reason)]);
    expect(existsSync(join(fileURLToPath(spec.output_prefix), 'checkpoint.tar.gz'))).toBe(false);
    expect(existsSync(join(folder, 'x'))).toBe(false);
    expect(registered.size).toBe(0);
  });

  it('asks again for an archive that was damaged on its way', async () => {
    const whole = server.archive;
    server.archive = firstHalf(whole);
    let saves = 0;
    server.tricks.set('save_weights_for_sampler', () => {
      if (++saves === 3) server.archive = whole;
      return false;
    });
    expect(await run(aSpec())).toMatchObject({ status: 'finished' });
    expect([saves, [...kept].filter((path) => path.includes('sampler')).length]).toEqual([3, 0]);
  });

  it('takes over adapters of Qwen3, whose heads are wider than its layers', async () => {
    const base = mkdtempSync(join(folder, 'qwen-'));
    const sizes = { hidden_size: 64, intermediate_size: 96, num_hidden_layers: 2, num_attention_heads: 4 };
    const fields = { ...sizes, num_key_value_heads: 2, head_dim: 32, vocab_size: 500, model_type: 'qwen3' };
    writeFileSync(join(base, 'config.json'), JSON.stringify({ architectures: ['Qwen3ForCausalLM'], ...fields }));
    await engine.client.close();
    engine = engineOf(server.settings({ baseModels: new Map([['hone-tiny', { servedAs: 'tiny', path: base }]]) }));
    server.archive = await anAdapterArchive(await readDecoderShape(base));
    expect(await run(aSpec())).toMatchObject({ status: 'finished' });
    server.archive = await anAdapterArchive({ ...(await readDecoderShape(base)), headDim: 16 });
    await expect(run(aSpec())).rejects.toThrow('expected [128, ');
  });

  it('refuses a server that has another base model', async () => {
    server.tricks.set(
      'get_server_capabilities',
      (_, response) => void response.end('{"supported_models":[{"model_name":"x"}]}'),
    );
    await expect(run(aSpec())).rejects.toMatchObject({ code: 'engine.failed' });
    expect(pathsOf('create_session')).toBe(0);
  });

  it('says that the loss is not finite, and takes no step', async () => {
    const spec = aSpec();
    await expect(
      run({
        ...spec,
        optimiser: { ...spec.optimiser, learning_rate_factor: 1 },
        loss: { ...resolveRlConfig({}), kimi_k2_tau: Infinity },
      }),
    ).rejects.toMatchObject({ code: 'engine.nonfinite_loss' });
    expect(pathsOf('optim_step')).toBe(0);
  });
});
