import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { writeCheckpoint } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import type { ServedModel } from '../decode/batch/served-model.js';
import { LlamaRunner } from '../decode/llama-runner.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import type { ProjectionName } from '../train/trained-parameters.js';
import type { LoadedTokens, LoadOrder } from './loader/loader-messages.js';
import { TensorLoader } from './loader/tensor-loader.js';
import { ServedModels } from './served-models.js';

const SETTINGS = {
  threads: 1,
  packedThreads: 1,
  weights: 'auto' as const,
  maxRows: 4,
  maxCacheTokens: 1_024,
  maxPrefixTokens: 0,
  promptTokensPerTurn: 64,
  maxContextLength: 128,
  maxCheckpointBytes: 0,
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
  /** Models with a budget of so many bytes for checkpoints. */
  let open: (maxCheckpointBytes: number) => Promise<void>;

  beforeEach(async () => {
    base = join(folder(), 'base');
    random = await writeRandomLlama(base);
    orders = [];
    const loader = new TensorLoader();
    const source = { load: (order: LoadOrder) => (orders.push(order), loader.load(order)) };
    const noConstraints = () => ({ create: () => never(), close: () => Promise.resolve() });
    open = async (maxCheckpointBytes) => {
      models = new ServedModels(source, { ...SETTINGS, maxCheckpointBytes }, noConstraints);
      await models.loadBase(base);
    };
    await open(2 ** 30);
  });
  afterEach(() => models.unloadBase(base));

  async function aCheckpoint(name: string, targets: ProjectionName[] = ['v_proj']) {
    const directory = join(folder(), name);
    const adapter = randomAdapter(random.config, { targets });
    const state = { step: 1, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state }, base);
    return { id: name, directory };
  }

  /** How many of these checkpoints had to be loaded. */
  async function loads(...ids: string[]): Promise<number> {
    const before = orders.length;
    for (const id of ids) await models.get({ base, checkpoint: { id, directory: join(folder(), id) } });
    return orders.length - before;
  }

  /** Bytes of the tensors that a checkpoint does not share with its base. */
  async function ownBytes(id: string): Promise<number> {
    const tensors = tensorsOf(await models.get({ base, checkpoint: null }));
    const own = tensorsOf(await models.get({ base, checkpoint: { id, directory: join(folder(), id) } }));
    const changed = Object.entries(own).filter(([input, tensor]) => tensor !== tensors[input]);
    return changed.reduce((sum, [, { data }]) => sum + (data as Float32Array).byteLength, 0);
  }

  it('keeps as many checkpoints as the budget has bytes for, those that were used last', async () => {
    for (let index = 0; index <= 20; index++) await aCheckpoint(`c${index}`);
    await open(3 * (await ownBytes('c0')));
    for (let index = 0; index < 20; index++) expect(await loads(`c${index}`)).toBe(1);
    expect(await loads('c19', 'c18', 'c17')).toBe(0);
    expect(await loads('c20')).toBe(1);
    expect(await loads('c17', 'c18', 'c20')).toBe(0);
    expect(await loads('c19')).toBe(1);
  });

  it('counts bytes, not checkpoints', async () => {
    await aCheckpoint('small');
    await aCheckpoint('other');
    await aCheckpoint('large', ['q_proj', 'down_proj', 'up_proj', 'o_proj']);
    const [small, large] = [await ownBytes('small'), await ownBytes('large')];
    expect(large).toBeGreaterThan(2 * small);
    await open(large + small);
    await loads('small', 'other', 'large');
    expect(await loads('large', 'other')).toBe(0);
    expect(await loads('small')).toBe(1);
    await open(large + 2 * small);
    await loads('small', 'other', 'large');
    expect(await loads('large', 'other', 'small')).toBe(0);
  });

  it('keeps the last checkpoint, and loads the one before again, when no budget is left', async () => {
    for (const id of ['one', 'two']) await aCheckpoint(id);
    await open(0);
    expect(await loads('one', 'one', 'one')).toBe(1);
    expect(await loads('two', 'two')).toBe(1);
    expect(await loads('one')).toBe(1);
  });

  it('shares the budget among base models, and frees it with one', async () => {
    await aCheckpoint('one');
    await open(await ownBytes('one'));
    const copy = join(folder(), 'copy');
    await cp(base, copy, { recursive: true });
    await models.loadBase(copy);
    const checkpoint = { id: 'one', directory: join(folder(), 'one') };
    await models.get({ base: copy, checkpoint });
    expect(await loads('one')).toBe(1);
    await models.unloadBase(base);
    await models.loadBase(base);
    expect(await loads('one')).toBe(1);
  });

  it('does not keep a checkpoint that could not be loaded', async () => {
    await expect(loads('late')).rejects.toMatchObject({ code: 'storage.corrupt' });
    await aCheckpoint('late');
    expect(await loads('late')).toBe(1);
  });

  it('loads a checkpoint once for all that want it at once', async () => {
    const checkpoint = await aCheckpoint('one');
    const [first, second] = await Promise.all([models.get({ base, checkpoint }), models.get({ base, checkpoint })]);
    expect(second).toBe(first);
    expect(orders.filter(({ kind }) => kind === 'checkpoint')).toHaveLength(1);
  });

  it('shares with the base model what a checkpoint does not change', async () => {
    const own = tensorsOf(await models.get({ base, checkpoint: await aCheckpoint('one') }));
    const tensors = tensorsOf(await models.get({ base, checkpoint: null }));
    const changed = Object.keys(tensors).filter((input) => own[input] !== tensors[input]);
    expect(changed).toEqual(['layers.0.qkv', 'layers.1.qkv']);
  });

  it('adds checkpoints to a base that the loader before this one had read', async () => {
    const checkpoint = await aCheckpoint('one');
    const order = { kind: 'checkpoint', base, weights: 'auto', directory: checkpoint.directory } as const;
    expect(await new TensorLoader().load(order)).toMatchObject({ kind: 'tensors' });
    expect(await new TensorLoader().load({ ...order, weights: 'int8' })).toMatchObject({
      kind: 'adapter',
      adapter: { rank: 4 },
    });
  });

  it('serves no longer context than it is allowed to', async () => {
    expect((await models.loadBase(base)).contextLength).toBe(128);
  });

  it('leaves no graph behind when the file of its embedding is gone', async () => {
    const graph = join(folder(), 'graph');
    await mkdir(graph);
    const embedding = { path: join(folder(), 'gone'), type: 'F32', position: 0 };
    const pack = { kind: 'pack' as const, config: random.config, folder: graph, embedding, bytes: 0 };
    const source = {
      load: ({ kind }: LoadOrder) => Promise.resolve(kind === 'base' ? pack : ({ kind: 'tokens' } as LoadedTokens)),
    };
    const lone = new ServedModels(source, SETTINGS, () => ({ create: () => never(), close: () => Promise.resolve() }));
    await expect(lone.loadBase(base)).rejects.toThrow('ENOENT');
    expect(existsSync(graph)).toBe(false);
  });

  it('knows nothing of a base model that was unloaded', async () => {
    await models.unloadBase(base);
    await expect(models.get({ base, checkpoint: null })).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
  });
});

function never(): never {
  throw new Error('No constraints here.');
}

const tensorsOf = ({ runner }: ServedModel) => (runner as LlamaRunner).tensors;
