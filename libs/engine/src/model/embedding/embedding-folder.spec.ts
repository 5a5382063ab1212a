import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeTinyEncoder } from '@hone/testing/tiny-encoder';

import { useTempFolder } from '../temp-folder.fixture.js';
import { readEmbeddingFolder } from './embedding-folder.js';

describe('readEmbeddingFolder', () => {
  const folder = useTempFolder();
  const write = (name: string, json: unknown) => writeFile(join(folder(), name), JSON.stringify(json));

  it('reads what a folder of Sentence Transformers says', async () => {
    await writeTinyEncoder(folder(), { pooling: 'cls', maxSeqLength: 12 });
    expect(await readEmbeddingFolder(folder())).toEqual({
      directory: folder(),
      graph: join(folder(), 'onnx/model.onnx'),
      graphBytes: expect.any(Number),
      pooling: 'cls',
      declaresPooling: true,
      dimensions: 24,
      shortened: null,
      maxTokens: 12,
      vocabSize: 169,
    });
  });

  it('takes the mean, and all positions, where it says nothing', async () => {
    await writeTinyEncoder(folder(), { pooling: 'cls' });
    await rm(join(folder(), 'modules.json'));
    await rm(join(folder(), '1_Pooling'), { recursive: true });
    await rename(join(folder(), 'onnx/model.onnx'), join(folder(), 'model.onnx'));
    const { pooling, declaresPooling, maxTokens, graph } = await readEmbeddingFolder(folder());
    expect([pooling, declaresPooling, maxTokens]).toEqual(['mean', false, 40]);
    expect(graph).toBe(join(folder(), 'model.onnx'));
  });

  it('never reads more tokens than the model has positions', async () => {
    await writeTinyEncoder(folder(), { maxSeqLength: 512 });
    expect((await readEmbeddingFolder(folder())).maxTokens).toBe(40);
  });

  it('leaves out the positions that MPNet has no tokens for', async () => {
    await writeTinyEncoder(folder(), { config: { model_type: 'mpnet', pad_token_id: 1 } });
    expect((await readEmbeddingFolder(folder())).maxTokens).toBe(38);
  });

  it.each([
    [{ is_matryoshka: true }, 'any'],
    [{ matryoshka_dimensions: [8, 24] }, [8, 24]],
  ])('knows from %j that embeddings may be cut', async (config, shortened) => {
    await writeTinyEncoder(folder(), { config });
    expect((await readEmbeddingFolder(folder())).shortened).toEqual(shortened);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a sum of modules', () => write('1_Pooling/config.json', BOTH), /mean_tokens, expected one of/],
    [
      'the last token',
      () => write('1_Pooling/config.json', { pooling_mode_lasttoken: true }),
      /has pooling_mode_lasttoken/,
    ],
    ['no pooling', () => write('1_Pooling/config.json', {}), /has no way of pooling/],
    ['a layer more', () => write('modules.json', [...MODULES, { type: 'a.Dense', path: '2' }]), /the layer "Dense"/],
    ['a way out', () => write('modules.json', [{ type: 'a.Pooling', path: '../1_Pooling' }]), /no list of modules/],
    ['a path from the root', () => write('modules.json', [{ type: 'a.Pooling', path: '/etc' }]), /no list of modules/],
    ['torn modules', () => writeFile(join(folder(), 'modules.json'), '['), /no list of modules/],
    [
      'no graph',
      () => rm(join(folder(), 'onnx'), { recursive: true }),
      /model\.onnx: the file is missing.+optimum-cli/,
    ],
    ['no width', () => write('config.json', { model_type: 'bert', vocab_size: 9 }), /hidden_size is missing/],
    ['lengths that are none', () => writeTinyEncoder(folder(), { config: { matryoshka_dimensions: [0] } }), /\[0\]/],
  ])('refuses %s', async (_name, change, reason) => {
    await writeTinyEncoder(folder());
    await change();
    await expect(readEmbeddingFolder(folder())).rejects.toThrow(reason);
  });

  it('refuses a graph that has more parameters than are allowed', async () => {
    await writeTinyEncoder(folder());
    await expect(readEmbeddingFolder(folder(), 1_000)).rejects.toThrow('allowed are 1000');
  });
});

const MODULES = [{ type: 'sentence_transformers.models.Transformer', path: '' }];
const BOTH = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true };
