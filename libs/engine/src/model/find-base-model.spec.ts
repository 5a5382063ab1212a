import { join } from 'node:path';

import { type BaseModelSources, findBaseModel } from './find-base-model.js';
import { HubFileMissingError, HubUnavailableError } from './hub/hub.errors.js';
import { HubClient } from './hub/hub-client.js';
import { writeRandomLlama } from './random-llama.fixture.js';
import { useTempFolder } from './temp-folder.fixture.js';

const folder = useTempFolder();

/** Bundled models and a models folder; the hub is never reached. */
const sources = (changes: Partial<BaseModelSources> = {}): BaseModelSources => {
  return { bundledDir: join(folder(), 'bundled'), modelsDir: join(folder(), 'models'), ...changes };
};

class FailingHub extends HubClient {
  constructor(private readonly failure: Error) {
    super();
  }
  override download(): Promise<void> {
    return Promise.reject(this.failure);
  }
}

const withHub = (failure: Error): BaseModelSources => {
  return sources({ hub: new FailingHub(failure), cacheDir: join(folder(), 'cache') });
};

describe('findBaseModel', () => {
  it.each([
    ['a bundled model', 'hone-tiny', 'bundled/hone-tiny'],
    ["one of the user's", 'my-model', 'models/my-model'],
    ["one of the user's, with its owner", 'Qwen/Qwen3-8B', 'models/Qwen/Qwen3-8B'],
    ['one that came from the hub before', 'a/b', 'cache/a/b'],
  ])('finds %s', async (_, id, path) => {
    await writeRandomLlama(join(folder(), path));
    const cacheDir = join(folder(), 'cache');
    expect(await findBaseModel(id, sources({ cacheDir }))).toBe(join(folder(), path));
  });

  it('prefers the bundled model', async () => {
    await writeRandomLlama(join(folder(), 'models/hone-tiny'));
    await writeRandomLlama(join(folder(), 'bundled/hone-tiny'));
    expect(await findBaseModel('hone-tiny', sources())).toBe(join(folder(), 'bundled/hone-tiny'));
  });

  it.each([
    '../x',
    'a/../b',
    '..',
    '.',
    './x',
    'a/',
    '/x',
    'a//b',
    'a/b/c',
    'a\\b',
    'a\0',
    '',
    'a b',
    'a/..b',
    'x'.repeat(97),
  ])('refuses %j as an id', async (id) => {
    const error = { name: 'BaseModelIdError', code: 'engine.base_model_unsupported' };
    await expect(findBaseModel(id, sources())).rejects.toMatchObject(error);
  });

  it('takes an absolute path only where paths are allowed', async () => {
    await writeRandomLlama(join(folder(), 'x'));
    const path = join(folder(), 'x');
    await expect(findBaseModel(path, sources())).rejects.toMatchObject({ name: 'BaseModelIdError' });
    expect(await findBaseModel(path, sources({ allowPaths: true }))).toBe(path);
  });

  it('says that neither folder nor hub has it', async () => {
    const found = findBaseModel('a/b', withHub(new HubFileMissingError('a/b', 'config.json', 404)));
    await expect(found).rejects.toMatchObject({
      code: 'engine.base_model_unsupported',
      message: 'There is no base model "a/b": the models folder does not have it, nor does the hub (config.json).',
    });
  });

  it('says that the hub cannot be reached', async () => {
    const found = findBaseModel('a/b', withHub(new HubUnavailableError('http://hub', 'it cannot be reached')));
    await expect(found).rejects.toThrow(
      'There is no base model "a/b": the models folder does not have it, ' +
        'and the hub gave nothing (http://hub: it cannot be reached).',
    );
  });

  it('says what is not configured', async () => {
    await expect(findBaseModel('a/b', sources({ modelsDir: null }))).rejects.toThrow(
      'There is no base model "a/b": no models folder is configured, and no hub is configured.',
    );
  });
});
