import { inForm, type StoredWeights, toFloats, type WeightForm } from '../../blocks/index.js';
import { mergeAdapter } from '../../checkpoints/merge-adapter.js';
import { randomAdapter } from '../../checkpoints/random-adapter.fixture.js';
import { plainLogProbabilities, plainWeights } from '../../model/plain-decoder.fixture.js';
import { type RandomLlama, writeRandomLlama } from '../../model/random-llama.fixture.js';
import { useTempFolder } from '../../model/temp-folder.fixture.js';
import { locateEmbedding } from '../../model/weights/embedding-rows.js';
import type { Weights } from '../../tensor.js';
import { CacheRows } from '../cache/cache-rows.js';
import { type KeyValues, sliceKeyValues } from '../cache/key-values.js';
import { packAdapter, type PackedAdapter } from './packed-adapter.js';
import { PackedDecoder } from './packed-decoder.js';
import { writePackedFiles } from './packed-files.js';
import { buildPackedGraph } from './packed-graph.js';
import { rootMeanSquare, ROUNDED } from './rounding.fixture.js';

const CONTEXT = 128;
/** Widths that can be cut into blocks. */
const SHAPE = { hiddenSize: 64, intermediateSize: 96, numHeads: 4, numKvHeads: 2, headDim: 16 };
const IDS = Array.from({ length: 40 }, (_, index) => (index * 31 + 5) % 280);
const LAST = [IDS.length - 1];

describe('PackedDecoder', () => {
  const folder = useTempFolder();
  let random: RandomLlama;

  beforeEach(async () => {
    random = await writeRandomLlama(folder(), { config: SHAPE });
  });

  async function open(
    form: WeightForm | ((name: string) => WeightForm),
  ): Promise<{ decoder: PackedDecoder; weights: Weights }> {
    const { config } = random;
    const stored: StoredWeights = new Map(
      [...random.weights].map(([name, tensor]) => [
        name,
        inForm(tensor, name.includes('embed') ? 'auto' : typeof form === 'string' ? form : form(name)),
      ]),
    );
    const { folder: files } = await writePackedFiles((onConstant) => buildPackedGraph(config, stored, onConstant));
    const embedding = await locateEmbedding(folder(), config);
    const options = { contextLength: CONTEXT, form: 'auto' as const, threads: 1 };
    const decoder = await PackedDecoder.open(config, { folder: files, embedding }, options);
    const weights = new Map([...stored].map(([name, tensor]) => [name, toFloats(tensor)]));
    return { decoder, weights };
  }

  const expected = (weights: Weights, ids: number[] = IDS) =>
    plainLogProbabilities(random.config, plainWeights(weights), ids);
  const adapterOf = (seed: number) =>
    randomAdapter(random.config, { seed, rank: 2 + seed, targets: seed === 1 ? ['v_proj', 'down_proj'] : undefined });

  it.each([{}, { tiedHead: false }, { numKvHeads: 4 }])(
    'gives the probabilities of a plain forward pass: %j',
    async (options) => {
      random = await writeRandomLlama(folder(), { config: { ...SHAPE, ...options } });
      const { decoder, weights } = await open('f32');
      const { logProbabilities } = await decoder.readPrompt(null, [], IDS, [...IDS.keys()]);
      expect(largestDifference(logProbabilities, expected(weights).flat())).toBeLessThan(1e-5);
      await decoder.close();
    },
  );

  it('reads a prompt in pieces, and token by token, as it reads it whole', async () => {
    const { decoder, weights } = await open('f32');
    const last = expected(weights)[LAST[0]!]!;
    const first = await decoder.readPrompt(null, [], IDS.slice(0, 17), [16]);
    const second = await decoder.readPrompt(null, [first.keyValues], IDS.slice(17), [22]);
    expect(largestDifference(second.logProbabilities, last)).toBeLessThan(1e-5);
    const cache = new CacheRows(random.config, 64);
    cache.add([first.keyValues], 17);
    let found = first.logProbabilities;
    for (let position = 17; position < IDS.length; position++) {
      const step = await decoder.step([null], cache, [IDS[position]!], [position]);
      cache.append(0, position, step.newRows);
      found = step.logProbabilities;
    }
    expect(largestDifference(found, last)).toBeLessThan(1e-5);
    await decoder.close();
  });

  // With a prefix that is cached, a prompt must get the very answer that it gets without.
  it.each(['f32', 'int8', 'int4'] as const)(
    'of %s weights reads the rest of a prompt bit by bit as in the whole',
    async (form) => {
      const { decoder } = await open(form);
      for (const adapter of [null, packAdapter(random.config, adapterOf(2))]) {
        const whole = await decoder.readPrompt(adapter, [], IDS, LAST);
        for (let read = 1; read < IDS.length; read += 1) {
          const first = await decoder.readPrompt(adapter, [], IDS.slice(0, read), [read - 1]);
          const rest = await decoder.readPrompt(adapter, [first.keyValues], IDS.slice(read), [IDS.length - read - 1]);
          expect(rest.logProbabilities).toEqual(whole.logProbabilities);
          const expected = sliceKeyValues(random.config, whole.keyValues, read, IDS.length - read);
          expect(rest.keyValues).toEqual(expected);
        }
      }
      await decoder.close();
    },
  );

  it('adds each row its own adapter, in one step, as requests come and go', async () => {
    const { decoder, weights } = await open('f32');
    const known = [1, 2, 3, 4].map(adapterOf);
    const packed = new Map(known.map((adapter, index) => [adapter, packAdapter(random.config, adapterOf(index + 1))]));
    const [one, two, three, four] = known;
    // The first one changes two projections alone: of the others nothing may be left where it lies.
    const requests = [
      [two],
      [one, null, two, one],
      [three, four, one],
      ...Array.from({ length: 9 }, () => [one]),
      [null],
    ];
    for (const adapters of requests) {
      const ownOf = adapters.map((adapter) => (adapter ? packed.get(adapter)! : null));
      const cache = new CacheRows(random.config, 64);
      for (const own of ownOf) cache.add([await prompt(decoder, own)], IDS.length - 1);
      const of = <T>(value: T) => adapters.map(() => value);
      const step = await decoder.step(ownOf, cache, of(IDS.at(-1)!), of(IDS.length - 1));
      const { vocabSize } = random.config;
      for (const [row, adapter] of adapters.entries()) {
        const merged = adapter ? mergeAdapter(weights, random.config, adapter) : weights;
        const own = step.logProbabilities.slice(row * vocabSize, (row + 1) * vocabSize);
        expect(largestDifference(own, expected(merged)[LAST[0]!]!)).toBeLessThan(1e-5);
      }
    }
    await decoder.close();
  });

  it('holds the adapters of a step once, where it reads them, and those that left by themselves', async () => {
    const { decoder } = await open('f32');
    const [one, two] = [2, 3].map((seed) => packAdapter(random.config, adapterOf(seed)));
    const numbers = (adapter: PackedAdapter) => [...adapter.a.values(), ...adapter.b.values()].map((data) => [...data]);
    const before = numbers(one!);
    const buffersOf = ({ a, b }: PackedAdapter) => [...a.values(), ...b.values()].map(({ buffer }) => buffer);
    const step = async (...adapters: PackedAdapter[]) => {
      const cache = new CacheRows(random.config, 64);
      for (const adapter of adapters) cache.add([await prompt(decoder, adapter)], IDS.length - 1);
      const of = <T>(value: T) => adapters.map(() => value);
      await decoder.step(adapters, cache, of(IDS.at(-1)!), of(IDS.length - 1));
    };
    await step(one!, two!);
    expect(new Set([...buffersOf(one!), ...buffersOf(two!)]).size).toBe(new Set(buffersOf(one!)).size);
    expect(numbers(one!)).toEqual(before);
    for (let index = 0; index < 9; index++) await step(two!);
    expect(new Set(buffersOf(one!)).size).toBe(1);
    expect(buffersOf(two!)).not.toContain(buffersOf(one!)[0]);
    expect(numbers(one!)).toEqual(before);
    await decoder.close();
  });

  it.each(['int8', 'int4'] as const)('of %s weights gives those of the numbers that they stand for', async (form) => {
    random = await writeRandomLlama(folder(), { config: { ...SHAPE, tiedHead: false } });
    const { decoder, weights } = await open(form);
    const { logProbabilities } = await decoder.readPrompt(null, [], IDS, LAST);
    expect(rootMeanSquare(logProbabilities, expected(weights)[LAST[0]!]!)).toBeLessThan(ROUNDED);
    await decoder.close();
  });

  it('takes matrices of different forms side by side, as files mix them', async () => {
    random = await writeRandomLlama(folder(), { config: { ...SHAPE, tiedHead: false } });
    const { decoder, weights } = await open((name) =>
      name.includes('v_proj') ? 'int8' : name.includes('gate_proj') ? 'f32' : 'int4',
    );
    const { logProbabilities } = await decoder.readPrompt(null, [], IDS, LAST);
    expect(rootMeanSquare(logProbabilities, expected(weights)[LAST[0]!]!)).toBeLessThan(ROUNDED);
    await decoder.close();
  });

  it('gives a row of int4 weights the same alone and among others, bit by bit where two rows are fed', async () => {
    const { decoder } = await open('int4');
    const keyValues = await prompt(decoder, null);
    const stepOf = async (rows: number, minRows: 1 | 2 = 2) => {
      const cache = new CacheRows(random.config, 64);
      cache.minRows = minRows;
      for (let row = 0; row < rows; row++) cache.add([keyValues], IDS.length - 1);
      const of = <T>(value: T) => Array.from({ length: rows }, () => value);
      const step = await decoder.step(of(null), cache, of(7), of(IDS.length - 1));
      return step.logProbabilities.slice(0, random.config.vocabSize);
    };
    const alone = await stepOf(1);
    for (const rows of [2, 3, 9]) expect(await stepOf(rows)).toEqual(alone);
    // A product with one row is another kernel, which sums in another order.
    expect(largestDifference(await stepOf(1, 1), [...alone])).toBeLessThan(1e-5);
    await decoder.close();
  });

  async function prompt(decoder: PackedDecoder, adapter: PackedAdapter | null): Promise<KeyValues> {
    return (await decoder.readPrompt(adapter, [], IDS.slice(0, -1), [0])).keyValues;
  }
});

function largestDifference(found: Float32Array, expected: readonly number[]): number {
  return expected.reduce((largest, value, index) => Math.max(largest, Math.abs(value - found[index]!)), 0);
}
