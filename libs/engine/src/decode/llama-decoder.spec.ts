import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { plainLogProbabilities, plainWeights } from '../model/plain-decoder.fixture.js';
import { type RandomLlama, type RandomLlamaOptions, writeRandomLlama } from '../model/random-llama.fixture.js';
import { CacheRows } from './cache/cache-rows.js';
import type { KeyValues } from './cache/key-values.js';
import { toDecoderTensors } from './graph/decoder-tensors.fixture.js';
import type { DecoderTensors } from './graph/decoder-tensors.js';
import { LlamaDecoder } from './llama-decoder.js';

const CONTEXT = 256;

interface Opened {
  readonly model: RandomLlama;
  readonly decoder: LlamaDecoder;
  readonly tensors: DecoderTensors;
}

describe.each<[string, RandomLlamaOptions, number]>([
  ['grouped queries, tied head', {}, 1],
  ['a key head per query head, a head of its own, two threads', { config: { numKvHeads: 4, tiedHead: false } }, 2],
])('LlamaDecoder with %s', (_, options, threads) => {
  let directory: string;
  let opened: Opened;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hone-decoder-'));
    const model = await writeRandomLlama(directory, options);
    const decoder = await LlamaDecoder.open(model.config, CONTEXT, threads);
    opened = { model, decoder, tensors: toDecoderTensors(model.config, model.weights) };
  });
  afterAll(async () => {
    await opened.decoder.close();
    await rm(directory, { recursive: true });
  });

  it('gives the probabilities of a plain float64 forward pass', async () => {
    const ids = someIds(40);
    const { logProbabilities } = await read(opened, ids, { wanted: ids.map((_id, index) => index) });
    const expected = plainLogProbabilities(opened.model.config, plainWeights(opened.model.weights), ids).flat();
    expect(largestDifference(logProbabilities, expected)).toBeLessThan(1e-5);
  });

  it('gives the logits back when the partition is added', async () => {
    const { logProbabilities, logPartition } = await read(opened, someIds(5));
    const logits = logProbabilities.subarray(0, opened.model.config.vocabSize).map((value) => value + logPartition[0]!);
    const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
    expect(total).toBeCloseTo(logPartition[0]!, 5);
  });

  it.each([[[39, 1]], [[1, 39]], [[16, 24]], [[13, 14, 13]]])(
    'reads a prompt in pieces of %p with equal bits',
    async (cuts) => {
      const ids = someIds(40);
      const whole = await read(opened, ids);
      const past: KeyValues[] = [];
      let last: Float32Array | undefined;
      for (const tokens of cuts) {
        const start = past.reduce((sum, piece) => sum + piece.tokens, 0);
        const piece = await read(opened, ids.slice(start, start + tokens), { past });
        past.push(piece.keyValues);
        last = piece.logProbabilities;
      }
      expect(first(opened, last!)).toEqual(first(opened, whole.logProbabilities));
    },
  );

  it('gives token by token what it gives for the whole', async () => {
    const ids = someIds(70);
    const { config } = opened.model;
    const cache = new CacheRows(config, 128);
    cache.add([(await read(opened, ids.slice(0, 10))).keyValues], 10);
    let logProbabilities = new Float32Array();
    for (let position = 10; position < ids.length; position++) {
      const step = await opened.decoder.step(opened.tensors, cache, [ids[position]!], [position]);
      cache.append(0, position, step.newRows);
      logProbabilities = new Float32Array(step.logProbabilities);
    }
    const whole = await read(opened, ids);
    expect(largestDifference(first(opened, logProbabilities), [...first(opened, whole.logProbabilities)])).toBeLessThan(
      1e-5,
    );
  });

  it('gives a row the same bits alone, among others and in a larger cache', async () => {
    const prompts = Array.from({ length: 9 }, (_row, index) => someIds(5 + 7 * index, index));
    const keyValues = await Promise.all(prompts.map(async (ids) => (await read(opened, ids)).keyValues));
    const stepOf = async (rows: number[], capacity: number) => {
      const cache = new CacheRows(opened.model.config, capacity);
      for (const row of rows) cache.add([keyValues[row]!], prompts[row]!.length);
      const positions = rows.map((row) => prompts[row]!.length);
      const ids = rows.map((row) => row + 3);
      const { logProbabilities, newRows } = await opened.decoder.step(opened.tensors, cache, ids, positions);
      cache.append(0, positions[0]!, newRows);
      return first(opened, logProbabilities);
    };
    const alone = await stepOf([4], 64);
    expect(await stepOf([4, 0, 1, 2, 3, 5, 6, 7, 8], 64)).toEqual(alone);
    expect(await stepOf([4, 8], 256)).toEqual(alone);
  });

  function first({ model }: Opened, logProbabilities: Float32Array): Float32Array {
    return logProbabilities.slice(0, model.config.vocabSize);
  }
});

describe('LlamaDecoder of the bundled shape', () => {
  it.each([[[1, 199]], [[16, 64, 120]], [[150, 50]]])(
    'reads a prompt in pieces of %p with equal bits',
    async (cuts) => {
      const directory = await mkdtemp(join(tmpdir(), 'hone-decoder-'));
      const config = { hiddenSize: 128, intermediateSize: 384, numKvHeads: 4, headDim: 32, vocabSize: 512 };
      const model = await writeRandomLlama(directory, { config });
      await rm(directory, { recursive: true });
      const decoder = await LlamaDecoder.open(model.config, CONTEXT, 1);
      const opened = { model, decoder, tensors: toDecoderTensors(model.config, model.weights) };
      const ids = someIds(200);
      const whole = await read(opened, ids);
      const past: KeyValues[] = [];
      let last: Float32Array | undefined;
      for (const tokens of cuts) {
        const start = past.reduce((sum, piece) => sum + piece.tokens, 0);
        const piece = await read(opened, ids.slice(start, start + tokens), { past });
        past.push(piece.keyValues);
        last = piece.logProbabilities;
      }
      expect(last!.slice(0, 512)).toEqual(whole.logProbabilities.slice(0, 512));
      await decoder.close();
    },
  );
});

describe('CacheRows', () => {
  it('keeps each row its own when others leave', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hone-decoder-'));
    const model = await writeRandomLlama(directory);
    await rm(directory, { recursive: true });
    const decoder = await LlamaDecoder.open(model.config, CONTEXT, 1);
    const opened = { model, decoder, tensors: toDecoderTensors(model.config, model.weights) };
    const prompts = [someIds(20, 1), someIds(30, 2), someIds(25, 3)];
    const cache = new CacheRows(model.config, 64);
    for (const ids of prompts) cache.add([(await read(opened, ids)).keyValues], ids.length);
    const before = await decoder.step(opened.tensors, cache, [7, 8, 9], [20, 30, 25]);
    cache.remove(0);
    const after = await decoder.step(opened.tensors, cache, [9, 8], [25, 30]);
    const vocab = model.config.vocabSize;
    expect(after.logProbabilities.slice(0, vocab)).toEqual(before.logProbabilities.slice(2 * vocab, 3 * vocab));
    expect(after.logProbabilities.slice(vocab)).toEqual(before.logProbabilities.slice(vocab, 2 * vocab));
    await decoder.close();
  });
});

function read(
  { decoder, tensors }: Opened,
  ids: number[],
  { past = [], wanted = [ids.length - 1] }: { past?: KeyValues[]; wanted?: number[] } = {},
) {
  return decoder.readPrompt(tensors, past, ids, wanted);
}

function someIds(length: number, seed = 0): number[] {
  return Array.from({ length }, (_, index) => (index * 31 + seed * 17 + 5) % 280);
}

function largestDifference(found: Float32Array, expected: readonly number[]): number {
  return expected.reduce((largest, value, index) => Math.max(largest, Math.abs(value - found[index]!)), 0);
}
