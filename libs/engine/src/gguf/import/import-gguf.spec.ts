import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type LlamaConfig, openBaseModel } from '../../model/index.js';
import { writeRandomLlama } from '../../model/random-llama.fixture.js';
import { useTempFolder } from '../../model/temp-folder.fixture.js';
import { assertWeightsFit } from '../../model/weights/weights.js';
import { exportGguf } from '../write/index.js';
import { importGguf } from './import-gguf.js';

const folder = useTempFolder();

/** A random model, and the same after a way through GGUF. */
async function roundTrip(config: Partial<LlamaConfig>, change = (bytes: Buffer): Buffer => bytes) {
  const { weights } = await writeRandomLlama(join(folder(), 'original'), { config });
  const original = await openBaseModel(join(folder(), 'original'));
  const path = join(folder(), 'a.gguf');
  await exportGguf(original, weights, path);
  await writeFile(path, change(await readFile(path)));
  await importGguf(path, join(folder(), 'imported'));
  const imported = await openBaseModel(join(folder(), 'imported'));
  await assertWeightsFit(imported.directory, imported.config);
  return { original, imported };
}

/** Puts a text of the same length in the place of another, everywhere. */
const swap = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');

const llama3 = { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositions: 8192 } as const;

describe('a model imported from GGUF', () => {
  it.each<[string, Partial<LlamaConfig>]>([
    ['a tied head', { tiedHead: true }],
    ['a head of its own', { tiedHead: false }],
    ['linear scaling', { ropeScaling: { type: 'linear', factor: 2 } }],
    ["Llama 3's scaling", { ropeScaling: llama3, ropeTheta: 500_000, maxPositions: 131_072 }],
  ])('with %s is the one that was exported', async (_, config) => {
    const { original, imported } = await roundTrip(config);
    const single = (value: number): number => Math.fround(value);
    const { ropeTheta, rmsNormEps } = original.config;
    const expected = { ...original.config, ropeTheta: single(ropeTheta), rmsNormEps: single(rmsNormEps) };
    expect(imported.config).toEqual(expected);
    expect(await imported.loadWeights()).toEqual(await original.loadWeights());
    const text = "hello world, it's 1234 and 猫";
    expect(imported.tokenizer.encode(text)).toEqual(original.tokenizer.encode(text));
    const chat = [{ role: 'user', content: '<|end|>hello' }];
    expect(imported.chatTemplate.encodeChat(chat)).toEqual(original.chatTemplate.encodeChat(chat));
  });

  it('shares the file', async () => {
    const { imported } = await roundTrip({});
    const { ino } = await stat(join(folder(), 'a.gguf'));
    expect((await stat(join(imported.directory, 'model.gguf'))).ino).toBe(ino);
  });

  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['an unknown architecture', swap('llama', 'gemma'), /the architecture is "gemma", expected one of llama/],
    ['an unknown pre-tokenizer', swap('gpt-2', 'gpt-9'), /pre-tokenizer \(tokenizer.ggml.pre\) is "gpt-9", known are/],
    ['an unknown tokenizer', swap('gpt2', 'bert'), /tokenizer.ggml.model is "bert"/],
    ['no sizes', swap('block_count', 'black_count'), /llama.block_count is missing/],
    ['no tokens', swap('ggml.tokens', 'ggml.takens'), /tokenizer.ggml.tokens: expected a list of texts/],
    ['no merges', swap('ggml.merges', 'ggml.marges'), /tokenizer.ggml.merges: expected a list of texts/],
    ['a merge of one part', swap('h e', 'hee'), /tokenizer.ggml.merges: "hee" is not a pair/],
    ['a tensor missing', swap('blk.1.ffn_up', 'blk.1.ffn_ab'), /blk.1.ffn_up.weight is missing/],
  ])('with %s is refused', async (_, change, message) => {
    await expect(roundTrip({}, change)).rejects.toThrow(message);
  });
});
