import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import {
  type DecoderShape,
  readDecoderShape,
  resolveRlConfig,
  type StepMetrics,
  type StoredPart,
  toPlanLine,
  type TrainingSpec,
} from '@hone/engine';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { anAdapterArchive } from '../testing/adapter-archive.fixture.js';
import { TinkerServerDouble } from '../testing/tinker-server.fixture.js';
import { TinkerClient } from '../wire/tinker-client.js';
import { requestMessage } from '../wire/tinker-schema.js';
import { TinkerTrainingEngine } from './tinker-training-engine.js';

const MODELS = join(import.meta.dirname, '../../../../models');
const TIMES = { connectMs: 5_000, silenceMs: 5_000, pollMs: 1_000, patienceMs: 500, beatMs: 20 };
const ROWS = 12;
const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

describe('training on a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hone-remote-'));
  let config: DecoderShape;
  let server: TinkerServerDouble;
  let engine: TinkerTrainingEngine;
  let engineOf: (settings: TinkerSettings) => TinkerTrainingEngine;
  let registered: Set<string>;
  let kept: Set<string>;
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
    engineOf = (its) => new TinkerTrainingEngine(its, options, registry, new TinkerClient(its, TIMES));
    engine = engineOf(settings);
  });
  afterEach(async () => {
    await engine.client.close();
    await server.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const aSpec = (more: Partial<TrainingSpec> = {}): TrainingSpec => {
    const rows = Array.from({ length: ROWS }, (_, row) =>
      toPlanLine({
        row,
        sequences: [{ ids: [5, 6, 7], mask: [0, 1, 1], old: [NaN, -1, -1], adv: 1, weight: 1 }],
        numTrajectories: 1,
        learningRate: 1e-3,
        staleness: null,
      }),
    );
    const text = rows.map((line) => `${line}\n`).join('');
    const plan = join(folder, 'plan.jsonl');
    writeFileSync(plan, text);
    const output = mkdtempSync(join(folder, 'out-'));
    return {
      spec_version: 1,
      job_id: 'job',
      attempt: ++attempt,
      kind: 'rl',
      seed: 1,
      base_model: 'hone-tiny',
      parent: null,
      reference: null,
      plan: {
        uri: pathToFileURL(plan).href,
        sha256: createHash('sha256').update(text).digest('hex'),
        num_sequences: ROWS,
      },
      loss: resolveRlConfig({}),
      optimiser: { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0, max_grad_norm: 1, learning_rate_factor: 1 },
      lora: { r: 8, alpha: 16, target_modules: [] },
      lora_asked: null,
      resume: null,
      output_prefix: pathToFileURL(output).href,
      resume_every: { steps: 5, seconds: 1_000 },
      checkpoint_every: null,
      validation: null,
      ...more,
    };
  };
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
    expect(pathsOf('unload_model')).toBe(1);
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

  it('stops between two requests when it is cancelled, and unloads its model', async () => {
    const cancel = new AbortController();
    const sink = sinkOf();
    sink.step = async () => cancel.abort(new Error('cancelled'));
    await expect(run(aSpec(), sink, cancel.signal)).rejects.toThrow('cancelled');
    expect([pathsOf('optim_step'), pathsOf('unload_model'), registered.size]).toEqual([1, 1, 0]);
  });

  it('numbers its requests, and keeps its session alive', async () => {
    server.tricks.set('optim_step', (_, response) => {
      setTimeout(() => response.destroy(), 30);
      server.tricks.delete('optim_step');
    });
    await run(aSpec());
    const passes = server.seen.filter(({ path }) => path === 'forward_backward');
    const numbers = passes.map(({ body }) => (requestMessage().decode(body) as unknown as { seqId: number }).seqId);
    expect(numbers.slice(0, 4)).toEqual([1, 2, 4, 5]);
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
    ['has values that overflow', () => anAdapterArchive(config, { spoil: (values) => values.fill(1e30) }), 'too large'],
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
