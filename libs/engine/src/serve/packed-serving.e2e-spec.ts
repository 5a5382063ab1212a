import { join } from 'node:path';

import { inForm, toFloats } from '../blocks/index.js';
import { mergeAdapter, writeCheckpoint } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { aRequest, generateAlone, openTestModel } from '../decode/batch/generation.fixture.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { Weights } from '../tensor.js';

import { ServingEngine } from './serving-engine.js';

/** Widths that can be cut into blocks. */
const SHAPE = { hiddenSize: 64, intermediateSize: 96, numHeads: 4, numKvHeads: 2, headDim: 16 };
const STATE = { step: 1, optimizerSteps: 0, rng: null, config: null };

describe('ServingEngine with weights of 8 bits', () => {
  const folder = useTempFolder();
  let engine: ServingEngine;
  let base: string;
  let random: RandomLlama;

  beforeEach(async () => {
    base = join(folder(), 'base');
    random = await writeRandomLlama(base, { config: SHAPE });
    engine = ServingEngine.start({ weights: 'int8', packedThreads: 1 });
    await engine.loadBase(base);
  });
  afterEach(() => engine.close());

  async function answer(id: string | null = null): Promise<string> {
    const checkpoint = id === null ? null : { id, directory: join(folder(), id) };
    let text = '';
    for await (const event of engine.generate({ base, checkpoint }, aRequest({ sampling: { temperature: 0 } }))) {
      if (event.kind === 'text') text += event.text;
    }
    return text;
  }

  async function anAdapter(id: string, seed: number) {
    const adapter = randomAdapter(random.config, { seed, rank: 1 + seed, alpha: 40 });
    await writeCheckpoint(
      join(folder(), id),
      { trained: { kind: 'lora', adapter }, optimizer: null, state: STATE },
      base,
    );
    return adapter;
  }

  /** What the numbers that the blocks stand for answer, in float32. */
  async function expected(weights: Weights): Promise<string> {
    const test = await openTestModel({ config: SHAPE }, weights);
    const { answers } = await generateAlone(test, { sampling: { temperature: 0 } });
    await test.close();
    return answers[0]!.text;
  }

  const rounded = (weights: Weights): Weights =>
    new Map([...weights].map(([name, tensor]) => [name, toFloats(inForm(tensor, 'int8'))]));

  it('answers as the numbers that they stand for', async () => {
    expect(await answer()).toBe(await expected(rounded(random.weights)));
  });

  it('answers with many adapters at once, each as if it were merged', async () => {
    const merged: Weights[] = [];
    for (let seed = 1; seed <= 6; seed++) {
      merged.push(mergeAdapter(rounded(random.weights), random.config, await anAdapter(`c${seed}`, seed)));
    }
    const found = await Promise.all([answer(), ...merged.map((_, index) => answer(`c${index + 1}`))]);
    const wanted: string[] = [await expected(rounded(random.weights))];
    for (const weights of merged) wanted.push(await expected(weights));
    expect(found).toEqual(wanted);
    expect(new Set(found).size).toBeGreaterThan(4);
  });

  it('answers with a checkpoint of all weights', async () => {
    const weights = new Map(
      [...random.weights].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => -x) }]),
    );
    const parts = { trained: { kind: 'full' as const, weights }, optimizer: null, state: STATE };
    await writeCheckpoint(join(folder(), 'full'), parts, base);
    expect(await answer('full')).toBe(await expected(rounded(weights)));
    expect(await answer('full')).not.toBe(await answer());
  });

  it('is loaded again after it was unloaded', async () => {
    const before = await answer();
    await engine.unloadBase(base);
    await expect(answer()).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
    await engine.loadBase(base);
    expect(await answer()).toBe(before);
  });
});
