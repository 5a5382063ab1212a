import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeCheckpoint } from '../../checkpoints/index.js';
import { randomAdapter } from '../../checkpoints/random-adapter.fixture.js';
import { type RandomLlama, writeRandomLlama } from '../../model/random-llama.fixture.js';
import { useTempFolder } from '../../model/temp-folder.fixture.js';
import type { CheckpointOrder } from './loader-messages.js';
import { TensorLoader } from './tensor-loader.js';

const STATE = { step: 1, optimizerSteps: 0, rng: null, config: null };

describe('TensorLoader, told of checkpoints that will be ordered', () => {
  const folder = useTempFolder();
  let loader: TensorLoader;
  let base: string;
  let random: RandomLlama;

  beforeEach(async () => {
    base = join(folder(), 'base');
    random = await writeRandomLlama(base);
    loader = new TensorLoader();
    await loader.load({ kind: 'base', directory: base, maxParams: Infinity, weights: 'auto' });
  });

  async function aCheckpoint(name: string): Promise<CheckpointOrder> {
    const directory = join(folder(), name);
    const adapter = randomAdapter(random.config);
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state: STATE }, base);
    return { kind: 'checkpoint', base, weights: 'auto', directory };
  }

  /** Every announcement before it was read, too: one checkpoint is read at a time. */
  const readOther = async () => loader.load(await aCheckpoint('other'));

  it('has read them when their orders come, once', async () => {
    const order = await aCheckpoint('one');
    const usual = await loader.load(order);
    await readOther();
    loader.announce(order);
    await readOther();
    await rm(order.directory, { recursive: true });
    expect(await loader.load(order)).toEqual(usual);
    await expect(loader.load(order)).rejects.toThrow('one');
  });

  it('reads the first that is announced only, until it is ordered', async () => {
    const [first, second] = [await aCheckpoint('first'), await aCheckpoint('second')];
    loader.announce(first);
    loader.announce(second);
    await readOther();
    await rm(second.directory, { recursive: true });
    await expect(loader.load(second)).rejects.toThrow('second');
    await rm(first.directory, { recursive: true });
    await loader.load(first);
  });

  it('does not read what was ordered before it was announced', async () => {
    const [order, next] = [await aCheckpoint('one'), await aCheckpoint('next')];
    await loader.load(order);
    loader.announce(order);
    loader.announce(next);
    await readOther();
    await rm(next.directory, { recursive: true });
    await loader.load(next);
  });

  it('reads anew what could not be read when it was announced', async () => {
    const order = { ...(await aCheckpoint('one')), directory: join(folder(), 'late') };
    loader.announce(order);
    await expect(loader.load(order)).rejects.toThrow('late');
    await aCheckpoint('late');
    await loader.load(order);
  });
});
