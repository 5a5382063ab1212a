import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  freshState,
  importPeftAdapter,
  lossSettingsOf,
  openBaseModel,
  readPeftAdapter,
  resolveRlConfig,
  type RlConfigInput,
  rowLoss,
  trainedLayout,
  type TrainedPart,
  Trainer,
  type TrainSequence,
  unpackAdapter,
} from '@hone/engine';
import { SkyrlServer } from '@hone/testing';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { TinkerClient } from '../wire/tinker-client.js';
import { lossSequences } from './loss-sequences.js';
import { RemoteModel } from './remote-model.js';

const MODEL = join(import.meta.dirname, '../../../../models/hone-tiny');
const MAX_BYTES = 100_000_000;
const ADAM = { learning_rate: 1e-4, beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0 };
const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxGradientNorm: 1e6 };
const NOWHERE = { add: async () => undefined, remove: async () => undefined };

type Scored = { readonly lp: ArrayLike<number> };

/** Three sequences of different lengths: the server pads them, and a row of three, to powers of two. */
const ROW: TrainSequence[] = [12, 17, 9].map((length, index) => {
  const trained = Array.from({ length: length - 5 }, (_, at) => at + 5);
  const perToken = (valueOf: (at: number) => number) => Float64Array.from(trained, (_, at) => valueOf(at));
  return {
    ids: Array.from({ length }, (_, at) => 10 + ((index * 31 + at * 7) % 400)),
    trained,
    weight: perToken(() => 1 / 23),
    old: perToken(() => NaN),
    advantage: perToken(() => [1, -1, 0.5][index] as number),
    drift: perToken(() => NaN),
  };
});

describe('the two verbs of a training server', () => {
  const signal = new AbortController().signal;
  let server: SkyrlServer;
  let folder: string;
  let client: TinkerClient;
  let session: string;
  beforeAll(async () => {
    server = await SkyrlServer.start();
    folder = await mkdtemp(join(tmpdir(), 'hone-coefficients-'));
    client = clientOf('sequence_mean');
    session = await client.createSession([], signal);
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const clientOf = (reduction: TinkerSettings['reduction']) =>
    new TinkerClient({
      kind: 'tinker',
      name: 'skyrl',
      url: server.url,
      apiKey: null,
      baseModels: new Map(),
      reduction,
      gradientClip: 'none',
      lora: { rank: 32, alpha: 32, trainAttention: true, trainMlp: true, trainUnembed: false },
      maxBatch: 16,
      maxContext: null,
      concurrency: 1,
      archiveHosts: [],
    });

  async function aModel(by = client): Promise<RemoteModel> {
    const { modelId, requestId } = await by.createModel(
      { sessionId: session, baseModel: MODEL, rank: 32, seed: 7 },
      signal,
    );
    await by.wait(requestId, signal);
    return new RemoteModel(by, modelId, NOWHERE, signal);
  }

  const coefficientsOf = (scores: readonly Scored[], config: RlConfigInput, row = ROW) =>
    rowLoss(lossSettingsOf(resolveRlConfig(config)), lossSequences(row, scores)).coefficients;

  /** The embedded engine with the weights of a server's model. */
  async function embeddedOf(model: RemoteModel): Promise<Trainer> {
    const [archive, source, directory] = ['a.tar.gz', 'source', 'checkpoint'].map((name) => join(folder, name));
    await model.fetchAdapter('coefficients', archive!, MAX_BYTES);
    await mkdir(source!);
    await unpackAdapter({ archive: archive!, directory: source!, maxBytes: MAX_BYTES });
    const base = await openBaseModel(MODEL);
    const { config } = base;
    await importPeftAdapter(directory!, { source: source!, config, baseModel: 'hone-tiny' });
    const { rank, alpha, targets, tensors } = await readPeftAdapter(directory!, config);
    const part: TrainedPart = { kind: 'lora', lora: { rank, alpha, targets } };
    const state = freshState(trainedLayout(config, part).flatten(tensors));
    return new Trainer(
      { config, part, loss: { kind: 'sft' }, optimiser: OPTIMISER },
      await base.loadWeights(),
      state,
      1,
    );
  }

  it('lead to the coefficients of the embedded engine, one by one, for weights that have learnt', async () => {
    const model = await aModel();
    const before = await model.score(ROW);
    await model.backward(ROW, coefficientsOf(before, {}));
    await model.step(ADAM);
    // Rollouts of a policy that is near, so that no ratio is next to nothing.
    const row = ROW.map((sequence, index) => ({
      ...sequence,
      old: Float64Array.from(before[index]!.lp, (lp, at) => lp + ((at % 5) - 2) / 3),
    }));
    const theirs = await model.score(ROW);
    const embedded = await embeddedOf(model);
    const ours = await embedded.score(ROW);
    const largest = (found: readonly ArrayLike<number>[], expected: readonly ArrayLike<number>[]) =>
      Math.max(
        ...expected.flatMap((values, at) =>
          Array.from(values, (value, i) => Math.abs((found[at]?.[i] as number) - value)),
        ),
      );
    const lps = (scores: readonly Scored[]) => scores.map(({ lp }) => lp);
    expect(largest(lps(theirs), lps(ours))).toBeLessThan(1e-4);
    for (const level of ['token', 'sequence', 'average', 'geometric_average'] as const) {
      for (const loss_fn of ['cispo', 'ppo'] as const) {
        const config = { loss_fn, importance_sampling_level: level };
        const [found, expected] = [coefficientsOf(theirs, config, row), coefficientsOf(ours, config, row)];
        expect([loss_fn, level, largest(found, expected) < 1e-4]).toEqual([loss_fn, level, true]);
        expect(expected.flatMap((values) => Array.from(values)).some((value) => Math.abs(value) > 1e-3)).toBe(true);
      }
    }
    await embedded.release();
    await client.unload(model.id, signal);
  });

  it('lead to one gradient for both reductions', async () => {
    // A server that takes means divides cross entropy by the sum of its weights, and by the number of sequences.
    const bySum = clientOf('sum');
    for (const sequence of ROW) {
      const [model, other] = [await aModel(), await aModel(bySum)];
      const [coefficients] = [[Float64Array.from(sequence.trained, (_, at) => (1 + (at % 4)) / 50)]];
      await model.backward([sequence], coefficients);
      await other.backward([sequence], coefficients);
      const sum = coefficients[0]!.reduce((all, value) => all + value, 0);
      const [norm, otherNorm] = [Number(await model.step(ADAM)), Number(await other.step(ADAM))];
      expect(norm).toBeGreaterThan(1e-3);
      expect(Math.abs(otherNorm * sum - norm) / norm).toBeLessThan(1e-4);
      // The steps of Adam do not depend on the length of the gradient: both models are the same now.
      const [one, two] = [await model.score([sequence]), await other.score([sequence])];
      one[0]!.lp.forEach((value, at) => expect(Math.abs(value - two[0]!.lp[at]!)).toBeLessThan(1e-3));
      for (const { id } of [model, other]) await client.unload(id, signal);
    }
    await bySum.close();
  });

  it('give the gradient of a row whatever the batches that it is sent in', async () => {
    const norms: number[] = [];
    for (const maxBatch of [1, 2, 16]) {
      const by = new TinkerClient({ ...client.settings, maxBatch });
      const model = await aModel(by);
      await model.backward(ROW, coefficientsOf(await model.score(ROW), {}));
      norms.push(Number(await model.step(ADAM)));
      await by.unload(model.id, signal);
      await by.close();
    }
    for (const norm of norms) expect(Math.abs(norm - norms[0]!) / norms[0]!).toBeLessThan(1e-5);
  });
});
