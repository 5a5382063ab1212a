import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeTinyEncoder } from '@hone/testing/tiny-encoder';

import { BaseModelFolders } from './base-model-folders.js';
import { writeRandomLlama } from './random-llama.fixture.js';
import { useTempFolder } from './temp-folder.fixture.js';

const root = useTempFolder();
const path = (name: string) => join(root(), 'own', name);

let folders: BaseModelFolders;
beforeEach(async () => {
  await writeRandomLlama(join(root(), 'bundled/tiny'));
  await mkdir(join(root(), 'own'));
  folders = new BaseModelFolders({ bundledDir: join(root(), 'bundled'), modelsDir: join(root(), 'own') });
});

async function changeConfig(name: string, change: object): Promise<void> {
  const file = join(path(name), 'config.json');
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }));
}

describe('BaseModelFolders', () => {
  it('notices a folder that comes, is repaired, or goes', async () => {
    expect(await folders.scan()).toEqual({ ids: ['tiny'], refused: [] });
    await writeRandomLlama(path('acme/own'));
    const weights = join(path('acme/own'), 'model.safetensors');
    const bytes = await readFile(weights);
    await truncate(weights, bytes.length - 4);
    const { ids, refused } = await folders.scan();
    expect([ids, refused.map(({ id }) => id)]).toEqual([['tiny'], ['acme/own']]);
    await writeFile(weights, bytes);
    expect(await folders.scan()).toEqual({ ids: ['tiny', 'acme/own'], refused: [] });
    await rm(path('acme'), { recursive: true });
    expect(await folders.scan()).toEqual({ ids: ['tiny'], refused: [] });
  });

  it.each([
    [
      'is of another family',
      () => changeConfig('x', { model_type: 'mamba', architectures: ['MambaForCausalLM'] }),
      /Llama/,
    ],
    ['has no tokenizer', () => rm(join(path('x'), 'tokenizer.json')), /tokenizer\.json/],
    ['has no weights', () => rm(join(path('x'), 'model.safetensors')), /model\.safetensors/],
    ['has weights of other shapes', () => changeConfig('x', { intermediate_size: 7 }), /has the shape .* expected/],
    ['has fewer tensors', () => changeConfig('x', { num_hidden_layers: 9 }), /is missing, expected shape/],
    ['has a damaged configuration', () => writeFile(join(path('x'), 'config.json'), '{'), /config\.json/],
  ])('does not list a model that %s, and says so', async (_, spoil, reason) => {
    await writeRandomLlama(path('x'));
    await spoil();
    expect(await folders.scan()).toEqual({
      ids: ['tiny'],
      refused: [{ id: 'x', reason: expect.stringMatching(reason) }],
    });
  });

  it('does not list a model with more parameters than allowed', async () => {
    const small = new BaseModelFolders({ bundledDir: join(root(), 'bundled') }, { maxParams: 10 });
    expect((await small.scan()).refused).toEqual([{ id: 'tiny', reason: expect.stringContaining('allowed are 10') }]);
  });

  it('knows the models that embed texts, and looks into the folders of each', async () => {
    await writeTinyEncoder(path('encoder'));
    const graph = join(path('encoder'), 'onnx/model.onnx');
    expect(await folders.scan()).toEqual({ ids: ['tiny', 'encoder'], refused: [] });
    expect(['tiny', 'encoder', 'none'].filter((id) => folders.isEmbedding(id))).toEqual(['encoder']);
    await rm(graph);
    const reason = expect.stringContaining('optimum-cli export onnx');
    expect(await folders.scan()).toEqual({ ids: ['tiny'], refused: [{ id: 'encoder', reason }] });
    await writeTinyEncoder(path('encoder'));
    expect((await folders.scan()).ids).toEqual(['tiny', 'encoder']);
    await writeFile(join(path('encoder'), '1_Pooling/config.json'), '{}');
    expect((await folders.scan()).refused).toEqual([{ id: 'encoder', reason: expect.stringContaining('no way of') }]);
  });

  it('loads a model whatever is in the folders in it', async () => {
    await mkdir(join(root(), 'bundled/tiny/extra'));
    await symlink('nowhere', join(root(), 'bundled/tiny/extra/broken'));
    expect(await folders.scan()).toEqual({ ids: ['tiny'], refused: [] });
  });
});
