import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';

import { writeCheckpoint } from '../../checkpoints/index.js';
import { randomAdapter } from '../../checkpoints/random-adapter.fixture.js';
import { writeRandomLlama } from '../../model/random-llama.fixture.js';
import { useTempFolder } from '../../model/temp-folder.fixture.js';
import type { CheckpointOrder } from './loader-messages.js';
import { LoaderThread } from './loader-thread.js';

const MOST_TRIES = 20;

describe('LoaderThread', () => {
  const folder = useTempFolder();

  it('reads a checkpoint that is announced before it is ordered', async () => {
    const base = join(folder(), 'base');
    const { config } = await writeRandomLlama(base);
    const written = join(folder(), 'checkpoint');
    const trained = { kind: 'lora' as const, adapter: randomAdapter(config) };
    const state = { step: 1, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(written, { trained, optimizer: null, state }, base);
    const announcements = randomUUID();
    const [loader, channel] = [new LoaderThread({ announcements }), new BroadcastChannel(announcements)];
    try {
      await loader.load({ kind: 'base', directory: base, maxParams: Infinity, weights: 'auto' });
      const orderOfGone = async (wait: number) => {
        const directory = join(folder(), `checkpoint-${wait}`);
        await cp(written, directory, { recursive: true });
        const order: CheckpointOrder = { kind: 'checkpoint', base, weights: 'auto', directory };
        channel.postMessage(order);
        // Nothing tells when it was read.
        await sleep(wait);
        await rm(directory, { recursive: true });
        return loader.load(order).catch(() => null);
      };
      let loaded = null;
      for (let attempt = 1; loaded === null && attempt <= MOST_TRIES; attempt++)
        loaded = await orderOfGone(50 * attempt);
      expect(loaded).toMatchObject({ kind: 'tensors' });
    } finally {
      channel.close();
      await loader.close();
    }
  });
});
