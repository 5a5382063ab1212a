import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { anRlSpec, finish, someRows } from '@hone/testing/engine-conformance';

import { mergeAdapter, readCheckpoint } from './checkpoints/index.js';
import { toDecoderTensors } from './decode/graph/decoder-tensors.fixture.js';
import { LlamaDecoder } from './decode/llama-decoder.js';
import { EmbeddedTrainingEngine, type StoredPart } from './job/index.js';
import { type BaseModel, openBaseModel } from './model/base-model.js';
import { plainLogProbabilities, plainWeights } from './model/plain-decoder.fixture.js';
import { writeRandomLlama } from './model/random-llama.fixture.js';
import type { Weights } from './tensor.js';

/** Another family member: grouped queries, a head of its own, a larger vocabulary, BF16 in three shards. */
const SHAPE = {
  vocabSize: 1000,
  hiddenSize: 48,
  intermediateSize: 80,
  numLayers: 3,
  numHeads: 6,
  numKvHeads: 2,
  headDim: 8,
  ropeTheta: 500_000,
  tiedHead: false,
};
const PROMPT = [1, 999, 500, 42, 7, 7, 321];

describe('a Llama model of another shape', () => {
  let folder: string;
  let base: BaseModel;
  let weights: Weights;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-shape-'));
    const directory = join(folder, 'models/other');
    ({ weights } = await writeRandomLlama(directory, { config: SHAPE, shards: 3, dtype: 'BF16' }));
    base = await openBaseModel(directory);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Largest distance between what the decoder says after each token and what the plain formulas say. */
  async function distance(served: Weights, plain: ReadonlyMap<string, ArrayLike<number>>, scale = 0): Promise<number> {
    const decoder = await LlamaDecoder.open(base.config, 64, 1);
    const everywhere = [...PROMPT.keys()];
    const tensors = toDecoderTensors(base.config, served);
    const { logProbabilities } = await decoder.readPrompt(tensors, [], PROMPT, everywhere);
    await decoder.close();
    const expected = plainLogProbabilities(base.config, plain, PROMPT, scale).flat();
    expect(logProbabilities).toHaveLength(expected.length);
    return Math.max(...expected.map((value, at) => Math.abs(value - (logProbabilities[at] as number))));
  }

  async function trained(): Promise<StoredPart> {
    const sources = { bundledDir: join(folder, 'none'), modelsDir: join(folder, 'models') };
    const engine = new EmbeddedTrainingEngine({ sources, threads: 1 });
    const sample = () => Promise.reject(new Error('Nothing is sampled here.'));
    const subject = { engine, baseModel: 'other', vocabSize: SHAPE.vocabSize, folder, sample };
    const rows = someRows(1, SHAPE.vocabSize).map((row) => ({ ...row, learningRate: 0.05 }));
    return finish(subject, await anRlSpec(subject, rows));
  }

  it('decodes with the probabilities of the plain formulas', async () => {
    expect(await distance(await base.loadWeights(), plainWeights(weights))).toBeLessThan(1e-5);
  });

  it('trains a step, and decodes its checkpoint with the probabilities of the plain formulas', async () => {
    const { uri, sha256 } = await trained();
    const { trained: product } = await readCheckpoint(fileURLToPath(uri), base.config, { sha256 });
    if (product.kind !== 'lora') throw new Error('An adapter was to be trained.');
    const served = mergeAdapter(await base.loadWeights(), base.config, product.adapter);
    const { tensors, scale } = await readPeftPlainly(fileURLToPath(uri));
    const withAdapter = new Map<string, ArrayLike<number>>([...plainWeights(weights), ...tensors]);
    expect(await distance(served, withAdapter, scale)).toBeLessThan(1e-5);
    // The step did something, so that the adapter is seen at all.
    expect(await distance(served, plainWeights(weights))).toBeGreaterThan(1e-3);
  });
});

/** An adapter folder read as the PEFT and safetensors formats describe it, without a line of the engine's. */
async function readPeftPlainly(folder: string): Promise<{ tensors: Map<string, Float32Array>; scale: number }> {
  const { r, lora_alpha } = JSON.parse(await readFile(join(folder, 'adapter_config.json'), 'utf8')) as {
    r: number;
    lora_alpha: number;
  };
  const bytes = await readFile(join(folder, 'adapter_model.safetensors'));
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, start)) as Record<string, { data_offsets: [number, number] }>;
  const tensors = Object.entries(header).flatMap(([name, { data_offsets: offsets }]): [string, Float32Array][] => {
    if (name === '__metadata__') return [];
    const data = new Float32Array(Uint8Array.from(bytes.subarray(start + offsets[0], start + offsets[1])).buffer);
    return [[name.replace('base_model.model.', ''), data]];
  });
  return { tensors: new Map(tensors), scale: lora_alpha / r };
}
