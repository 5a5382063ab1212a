import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { mergeAdapter } from '../checkpoints/merge-adapter.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { exportGguf } from '../gguf/write/index.js';
import { type BaseModel, openBaseModel } from '../model/index.js';
import { writeRandomLlama } from '../model/random-llama.fixture.js';
import type { Weights } from '../tensor.js';
import { askLlamaCpp, HAS_LLAMA_CPP, type LlamaCppAnswer } from './llama-cpp.fixture.js';
import { decodedProbabilities, trainedProbabilities } from './our-probabilities.fixture.js';

const HONE_TINY = fileURLToPath(new URL('../../../../models/hone-tiny', import.meta.url));
const TEXTS = ['hello world', 'Add one: 41', 'Sort: c a b, then é 猫 {"a": [1, 22]}\n\n  end'];
/** Measured: 6e-8 with random weights, 2e-6 with the surer bundled ones. */
const TOLERANCE = 1e-4;

/** The models that both compute, by what is special about them. */
const MODELS: Record<string, (folder: string) => Promise<BaseModel>> = {
  'grouped key/value heads and a head of its own': async (folder) => {
    await writeRandomLlama(folder, { config: { tiedHead: false } });
    return openBaseModel(folder);
  },
  'a tied head and stretched positions': async (folder) => {
    const ropeScaling = {
      type: 'llama3',
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPositions: 32,
    } as const;
    await writeRandomLlama(folder, { config: { ropeScaling } });
    return openBaseModel(folder);
  },
  ...(existsSync(join(HONE_TINY, 'model.safetensors')) && { 'the bundled weights': () => openBaseModel(HONE_TINY) }),
};

const described = HAS_LLAMA_CPP ? describe : describe.skip;

described.each(Object.keys(MODELS))('llama.cpp (`npm ci` in bench/ installs it) and a model with %s', (name) => {
  let folder: string;
  let model: BaseModel;
  let weights: Weights;
  let prompts: number[][];
  let ofBase: LlamaCppAnswer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-engine-'));
    model = await MODELS[name]!(join(folder, 'model'));
    weights = await model.loadWeights();
    prompts = promptsFor(model);
    ofBase = await ask(weights);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function ask(exported: Weights): Promise<LlamaCppAnswer> {
    const file = join(folder, 'model.gguf');
    await exportGguf(model, exported, file);
    return askLlamaCpp(file, prompts, TEXTS);
  }

  it('agree on the likeliest tokens of the base', async () => {
    const theirs = ofBase.probabilities;
    const decoded = await decodedProbabilities(model.config, weights, prompts);
    expectClose(decoded, theirs, theirs.map(likeliest));
    expectClose(decoded, theirs, decoded.map(likeliest));
    const part = { kind: 'full' } as const;
    const next = theirs.map(likeliest);
    const trained = await trainedProbabilities(model.config, weights, part, weights, prompts, next);
    expectClose(trained, theirs, next);
  });

  it('agree on an adapter, merged for decoding and beside the weights for training', async () => {
    const adapter = randomAdapter(model.config, { alpha: 32 });
    const merged = mergeAdapter(weights, model.config, adapter);
    const { probabilities: theirs } = await ask(merged);
    const decoded = await decodedProbabilities(model.config, merged, prompts);
    expectClose(decoded, theirs, theirs.map(likeliest));
    expectClose(decoded, theirs, decoded.map(likeliest));
    const part = { kind: 'lora', lora: adapter } as const;
    const next = theirs.map(likeliest);
    const trained = await trainedProbabilities(model.config, weights, part, adapter.tensors, prompts, next);
    expectClose(trained, theirs, next);
    // Else the adapter would be too small for the comparison to mean anything.
    expect(largestDifference(ofBase.probabilities, theirs, next)).toBeGreaterThan(100 * TOLERANCE);
  });

  it('cut text into the same tokens', () => {
    expect(ofBase.ids).toEqual(TEXTS.map((text) => model.tokenizer.encode(text)));
  });
});

function promptsFor({ tokenizer, chatTemplate }: BaseModel): number[][] {
  const encode = (content: string) =>
    chatTemplate.encodeChat([{ role: 'user', content }], { addGenerationPrompt: true });
  return [...TEXTS.map(encode), tokenizer.encode(TEXTS[2]!)];
}

/** Ids of the five likeliest tokens. */
function likeliest(probabilities: readonly number[]): number[] {
  const ids = Array.from(probabilities.keys());
  return ids.sort((a, b) => probabilities[b]! - probabilities[a]!).slice(0, 5);
}

type PerPrompt = readonly (readonly number[])[];

/** Compares the probabilities of the tokens `ids`, per prompt. */
function expectClose(ours: PerPrompt, theirs: PerPrompt, ids: PerPrompt): void {
  expect(ours).toHaveLength(theirs.length);
  expect(largestDifference(ours, theirs, ids)).toBeLessThan(TOLERANCE);
}

function largestDifference(ours: PerPrompt, theirs: PerPrompt, ids: PerPrompt): number {
  const differences = ids.flatMap((wanted, prompt) =>
    wanted.map((id) => Math.abs(ours[prompt]![id]! - theirs[prompt]![id]!)),
  );
  return Math.max(...differences);
}
