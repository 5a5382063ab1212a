import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel } from './base-model.js';
import { writeRandomLlama } from './random-llama.fixture.js';
import { useTempFolder } from './temp-folder.fixture.js';

const folder = useTempFolder();
const path = (file: string): string => join(folder(), file);

describe('openBaseModel', () => {
  it('gives configuration, tokenizer, chat template, and the weights on demand', async () => {
    const { config, weights } = await writeRandomLlama(folder());
    const model = await openBaseModel(folder());
    expect(model.config).toEqual(config);
    expect(model.tokenizer.vocabSize).toBe(270);
    expect(model.chatTemplate.encodeChat([{ role: 'user', content: 'h' }])).toEqual([264, 267, 104, 265]);
    expect(new Map(await model.loadWeights())).toEqual(weights);
  });

  it('refuses a tokenizer with more tokens than the model has rows', async () => {
    await writeRandomLlama(folder(), { config: { vocabSize: 269 } });
    await expect(openBaseModel(folder())).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringMatching(/tokenizer\.json: the tokenizer has 270 tokens, config\.json allows 269/),
    });
  });

  it('says at once that the weights are missing', async () => {
    await writeRandomLlama(folder());
    await rm(path('model.safetensors'));
    await expect(openBaseModel(folder())).rejects.toThrow(/neither model\.safetensors nor/);
  });

  it('hands on how large a model may be', async () => {
    await writeRandomLlama(folder());
    await expect(openBaseModel(folder(), { maxParams: 1000 })).rejects.toMatchObject({
      code: 'engine.base_model_too_large',
    });
  });
});

describe('the digest of a base model', () => {
  const digest = async (directory: string): Promise<string> => (await openBaseModel(directory)).digest();

  it('is that of the same model in another folder', async () => {
    await writeRandomLlama(path('a'), { shards: 2 });
    await cp(path('a'), path('b'), { recursive: true });
    expect(await digest(path('b'))).toBe(await digest(path('a')));
  });

  it('changes with a byte of the weights', async () => {
    await writeRandomLlama(folder());
    const before = await digest(folder());
    const bytes = await readFile(path('model.safetensors'));
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path('model.safetensors'), bytes);
    expect(await digest(folder())).not.toBe(before);
  });

  it('changes with the configuration', async () => {
    await writeRandomLlama(path('a'));
    await writeRandomLlama(path('b'), { config: { rmsNormEps: 1e-6 } });
    expect(await digest(path('b'))).not.toBe(await digest(path('a')));
  });
});
