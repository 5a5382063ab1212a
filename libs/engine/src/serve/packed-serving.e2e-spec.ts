import { join } from 'node:path';

import { inForm, toFloats } from '../blocks/index.js';
import { mergeAdapter, writeCheckpoint } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { aRequest, generateAlone, openTestModel } from '../decode/batch/generation.fixture.js';
import type { GenerationEvent, TokenReport } from '../decode/batch/generation-event.js';
import { rootMeanSquare, ROUNDED } from '../decode/packed/rounding.fixture.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { Weights } from '../tensor.js';
import { ServingEngine } from './serving-engine.js';

/** Widths that can be cut into blocks. */
const SHAPE = { hiddenSize: 64, intermediateSize: 96, numHeads: 4, numKvHeads: 2, headDim: 16 };
const STATE = { step: 1, optimizerSteps: 0, rng: null, config: null };
/** Always the same token, with the log-probabilities of all: a close second would be another answer after rounding. */
const SCORED = { sampling: { allowedTokenIds: [72] }, topLogProbabilities: -1 };

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

  async function scores(id: string | null = null): Promise<number[]> {
    const checkpoint = id === null ? null : { id, directory: join(folder(), id) };
    const reports: TokenReport[] = [];
    for await (const event of engine.generate({ base, checkpoint }, aRequest(SCORED)))
      if (event.kind === 'text') reports.push(...event.logProbabilities!);
    return byToken(reports);
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

  /** Those of the numbers that the blocks stand for, in float32. */
  async function expected(weights: Weights): Promise<number[]> {
    const test = await openTestModel({ config: SHAPE }, weights);
    const { answers } = await generateAlone(test, SCORED);
    await test.close();
    return byToken(answers[0]!.reports);
  }

  const rounded = (weights: Weights): Weights =>
    new Map([...weights].map(([name, tensor]) => [name, toFloats(inForm(tensor, 'int8'))]));

  it('answers as the numbers that they stand for', async () => {
    expect(rootMeanSquare(await scores(), await expected(rounded(random.weights)))).toBeLessThan(ROUNDED);
  });

  it('answers a cached prompt, and one with a cached beginning, as the first time', async () => {
    const promptIds = Array.from({ length: 40 }, (_, index) => 20 + ((index * 31) % 200));
    const ask = async (ids: number[], cacheSalt: string) => {
      const request = { ...aRequest({ promptIds: ids, cacheSalt, topLogProbabilities: 5 }) };
      const events: GenerationEvent[] = [];
      for await (const event of engine.generate({ base, checkpoint: null }, request)) events.push(event);
      const { cachedTokens } = events.find((event) => event.kind === 'prompt')!;
      return { cachedTokens, answer: events.filter((event) => event.kind === 'text') };
    };
    for (const length of [33, 34, 40]) {
      const fresh = await ask(promptIds.slice(0, length), `fresh ${length}`);
      await ask([...promptIds.slice(0, 20), 7, 8, 9], `begun ${length}`);
      const begun = await ask(promptIds.slice(0, length), `begun ${length}`);
      const again = await ask(promptIds.slice(0, length), `fresh ${length}`);
      expect([fresh, begun, again].map(({ cachedTokens }) => cachedTokens)).toEqual([0, 16, 32]);
      expect([begun.answer, again.answer]).toEqual([fresh.answer, fresh.answer]);
    }
  });

  it('gives a reproducible request the same to the last bit, alone and beside others', async () => {
    // With 8 bits the kernel of a single row happens to sum in the same order.
    const inFour = ServingEngine.start({ weights: 'int4', packedThreads: 1 });
    await inFour.loadBase(base);
    const ask = async (isReproducible: boolean, seed: bigint) => {
      const reports: TokenReport[] = [];
      const request = aRequest({ isReproducible, maxTokens: 30, topLogProbabilities: 3, sampling: { seed } });
      for await (const event of inFour.generate({ base, checkpoint: null }, request))
        if (event.kind === 'text') reports.push(...event.logProbabilities!);
      return reports;
    };
    const alone = await ask(true, 3n);
    const [beside] = await Promise.all([ask(true, 3n), ask(false, 4n), ask(false, 5n)]);
    expect(beside).toEqual(alone);
    await inFour.close();
  });

  it('answers with many adapters at once, each as if it were merged', async () => {
    const models: Weights[] = [rounded(random.weights)];
    for (let seed = 1; seed <= 6; seed++)
      models.push(mergeAdapter(models[0]!, random.config, await anAdapter(`c${seed}`, seed)));
    const found = await Promise.all(models.map((_, index) => scores(index === 0 ? null : `c${index}`)));
    const wanted: number[][] = [];
    for (const weights of models) wanted.push(await expected(weights));
    for (const [index, own] of found.entries()) {
      const distances = wanted.map((other) => rootMeanSquare(own, other));
      expect(distances[index]).toBeLessThan(ROUNDED);
      // The answer of another model is told apart from it.
      for (const other of distances.toSpliced(index, 1)) expect(other).toBeGreaterThan(2 * ROUNDED);
    }
  });

  it('answers with a checkpoint of all weights', async () => {
    const weights = new Map(
      [...random.weights].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => -x) }]),
    );
    const parts = { trained: { kind: 'full' as const, weights }, optimizer: null, state: STATE };
    await writeCheckpoint(join(folder(), 'full'), parts, base);
    const own = await scores('full');
    expect(rootMeanSquare(own, await expected(rounded(weights)))).toBeLessThan(ROUNDED);
    expect(rootMeanSquare(own, await scores())).toBeGreaterThan(2 * ROUNDED);
  });

  it('is loaded again after it was unloaded', async () => {
    const before = await scores();
    await engine.unloadBase(base);
    await expect(scores()).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
    await engine.loadBase(base);
    expect(await scores()).toEqual(before);
  });
});

/** Log-probabilities in the order of the tokens' ids, one answered token after the other. */
function byToken(reports: readonly TokenReport[]): number[] {
  return reports.flatMap(({ top }) => top.toSorted((a, b) => a.id - b.id).map(({ logProbability }) => logProbability));
}
