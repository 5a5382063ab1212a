import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readLlamaConfig } from '../config/read-config.js';
import { toConfigJson, writeRandomLlama } from '../random-llama.fixture.js';
import { useTempFolder } from '../temp-folder.fixture.js';
import { writeSafetensors } from './safetensors-writer.js';
import { loadWeights } from './weights.js';

const folder = useTempFolder();
const Q = 'model.layers.0.self_attn.q_proj.weight';

describe('loadWeights', () => {
  it.each([
    ['one file', {}],
    ['an untied head and a larger vocabulary', { config: { tiedHead: false, vocabSize: 1000 } }],
    ['heads wider than the model', { config: { headDim: 16, numKvHeads: 1 } }],
    ['half precision', { dtype: 'F16' as const }],
    ['bfloat16 in three shards', { dtype: 'BF16' as const, shards: 3 }],
  ])('reads %s', async (_, options) => {
    const { config, weights } = await writeRandomLlama(folder(), options);
    expect(await readLlamaConfig(folder())).toEqual(config);
    const loaded = await loadWeights(folder(), config);
    expect(new Map([...loaded].sort())).toEqual(new Map([...weights].sort()));
  });

  it('leaves out what the configuration does not ask for', async () => {
    const { config, weights } = await writeRandomLlama(folder());
    const frequencies = { shape: [4], data: new Float32Array(4) };
    const extra = new Map([...weights, ['model.layers.0.self_attn.rotary_emb.inv_freq', frequencies]]);
    extra.set('lm_head.weight', weights.get('model.embed_tokens.weight')!);
    await writeSafetensors(join(folder(), 'model.safetensors'), extra);
    expect([...(await loadWeights(folder(), config)).keys()].sort()).toEqual([...weights.keys()].sort());
  });

  it('names a tensor that is missing, and its shape', async () => {
    const { config, weights } = await writeRandomLlama(folder());
    await writeSafetensors(join(folder(), 'model.safetensors'), new Map([...weights].filter(([name]) => name !== Q)));
    await expect(loadWeights(folder(), config)).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringContaining(`${Q} is missing, expected shape [32, 32]`),
    });
  });

  it.each([NaN, -Infinity])('names a tensor that holds %s', async (bad) => {
    const { config, weights } = await writeRandomLlama(folder());
    const { shape, data } = weights.get(Q)!;
    await writeSafetensors(
      join(folder(), 'model.safetensors'),
      new Map([...weights, [Q, { shape, data: data.with(5, bad) }]]),
    );
    await expect(loadWeights(folder(), config)).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringContaining(`${Q} has a value that is not finite`),
    });
  });

  it('asks for the head when it is not tied', async () => {
    const { config } = await writeRandomLlama(folder());
    await expect(loadWeights(folder(), { ...config, tiedHead: false })).rejects.toThrow(/lm_head\.weight is missing/);
  });

  it('names a tensor of another shape, with both shapes and the file', async () => {
    const { config } = await writeRandomLlama(folder());
    await expect(loadWeights(folder(), { ...config, numHeads: 8 })).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringMatching(/model\.safetensors: .*o_proj.*\[32, 32\], expected \[32, 64\]/),
    });
  });

  it('names a shard that is missing', async () => {
    const { config } = await writeRandomLlama(folder(), { shards: 2 });
    await rm(join(folder(), 'model-00002-of-00002.safetensors'));
    await expect(loadWeights(folder(), config)).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringMatching(/model-00002-of-00002\.safetensors: the file is missing/),
    });
  });

  it('says so when there are no weights', async () => {
    const { config } = await writeRandomLlama(folder());
    await rm(join(folder(), 'model.safetensors'));
    await expect(loadWeights(folder(), config)).rejects.toThrow(/neither model\.safetensors nor/);
  });

  it.each(['../x.safetensors', '/etc/x.safetensors', 'a\\x.safetensors', 7])(
    'does not follow an index to %p',
    async (file) => {
      const { config } = await writeRandomLlama(folder(), { shards: 2 });
      await writeFile(join(folder(), 'model.safetensors.index.json'), JSON.stringify({ weight_map: { [Q]: file } }));
      await expect(loadWeights(folder(), config)).rejects.toThrow(/weight_map names .*, expected file names/);
    },
  );

  it('calls a cut file damaged', async () => {
    const { config } = await writeRandomLlama(folder());
    const path = join(folder(), 'model.safetensors');
    await writeFile(path, (await readFile(path)).subarray(0, -1));
    await expect(loadWeights(folder(), config)).rejects.toMatchObject({ code: 'engine.base_model_damaged' });
  });
});

describe('writeRandomLlama', () => {
  it('writes a configuration that comes back', async () => {
    const ropeScaling = { type: 'llama3', factor: 2, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositions: 64 };
    const { config } = await writeRandomLlama(folder(), { config: { ropeScaling: ropeScaling as never } });
    expect(toConfigJson(await readLlamaConfig(folder()))).toEqual(toConfigJson(config));
  });
});
