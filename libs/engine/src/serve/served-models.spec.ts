import { join } from 'node:path';

import { writeCheckpoint } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';

import type { LoadOrder } from './loader/loader-messages.js';
import { TensorLoader } from './loader/tensor-loader.js';
import { ServedModels } from './served-models.js';

const SETTINGS = {
  threads: 1,
  maxRows: 4,
  maxCacheTokens: 1_024,
  maxPrefixTokens: 0,
  promptTokensPerTurn: 64,
  maxContextLength: 128,
  maxLoadedCheckpoints: 3,
  maxParams: 1e6,
  compileMs: 250,
  compileStates: 1_000,
};

describe('ServedModels', () => {
  const folder = useTempFolder();
  let models: ServedModels;
  let base: string;
  let random: RandomLlama;
  let orders: LoadOrder[];

  beforeEach(async () => {
    base = join(folder(), 'base');
    random = await writeRandomLlama(base);
    orders = [];
    const loader = new TensorLoader();
    const source = { load: (order: LoadOrder) => (orders.push(order), loader.load(order)) };
    const noConstraints = () => ({ create: () => never(), close: () => Promise.resolve() });
    models = new ServedModels(source, SETTINGS, noConstraints);
    await models.loadBase(base);
  });
  afterEach(() => models.unloadBase(base));

  async function aCheckpoint(name: string) {
    const directory = join(folder(), name);
    const adapter = randomAdapter(random.config, { targets: ['v_proj'] });
    const state = { step: 1, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state }, base);
    return { id: name, directory };
  }

  it('keeps the checkpoints that were used last', async () => {
    const load = async (...ids: string[]) => {
      const before = orders.length;
      for (const id of ids) await models.get({ base, checkpoint: { id, directory: join(folder(), id) } });
      return orders.length - before;
    };
    for (let index = 0; index <= 20; index++) await aCheckpoint(`c${index}`);
    for (let index = 0; index < 20; index++) expect(await load(`c${index}`)).toBe(1);
    expect(await load('c19', 'c18', 'c17')).toBe(0);
    expect(await load('c20')).toBe(1);
    expect(await load('c17', 'c18', 'c20')).toBe(0);
    expect(await load('c19')).toBe(1);
  });

  it('loads a checkpoint once for all that want it at once', async () => {
    const checkpoint = await aCheckpoint('one');
    const [first, second] = await Promise.all([models.get({ base, checkpoint }), models.get({ base, checkpoint })]);
    expect(second).toBe(first);
    expect(orders.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1);
  });

  it('shares with the base model what a checkpoint does not change', async () => {
    const own = await models.get({ base, checkpoint: await aCheckpoint('one') });
    const { tensors } = await models.get({ base, checkpoint: null });
    const changed = Object.keys(tensors).filter((input) => own.tensors[input] !== tensors[input]);
    expect(changed).toEqual(['layers.0.qkv', 'layers.1.qkv']);
  });

  it('serves no longer context than it is allowed to', async () => {
    expect((await models.loadBase(base)).contextLength).toBe(128);
  });

  it('knows nothing of a base model that was unloaded', async () => {
    await models.unloadBase(base);
    await expect(models.get({ base, checkpoint: null })).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
  });
});

function never(): never {
  throw new Error('No constraints here.');
}
