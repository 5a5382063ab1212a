import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel } from './base-model.js';
import { openModelFolder } from './model-folder.js';
import { writeRandomLlama } from './random-llama.fixture.js';
import { useTempFolder } from './temp-folder.fixture.js';

const folder = useTempFolder();

describe('openModelFolder', () => {
  it('gives the weights, and the digest of the whole model, without reading a tokenizer', async () => {
    const { config, weights } = await writeRandomLlama(folder());
    const whole = await (await openBaseModel(folder())).digest();
    await writeFile(join(folder(), 'tokenizer.json'), 'no tokenizer');
    const model = await openModelFolder(folder());
    expect(model.config).toEqual(config);
    expect(new Map(await model.loadWeights())).toEqual(weights);
    expect(await model.digest()).toBe(whole);
  });

  it('says at once that the weights are missing', async () => {
    await writeRandomLlama(folder());
    await rm(join(folder(), 'model.safetensors'));
    await expect(openModelFolder(folder())).rejects.toThrow(/neither model\.safetensors nor/);
  });

  it('bounds how large a model may be', async () => {
    await writeRandomLlama(folder());
    await expect(openModelFolder(folder(), { maxParams: 1000 })).rejects.toMatchObject({
      code: 'engine.base_model_too_large',
    });
  });
});
