import { Worker } from 'node:worker_threads';

import { builtEntry } from '../../runtime/built-entry.js';
import { fromErrorMessage } from '../../decode/error-message.js';

import type { LoadedModel, LoaderReply, LoaderRequest, LoadOrder } from './loader-messages.js';

interface Pending {
  resolve(loaded: LoadedModel | null): void;
  reject(error: Error): void;
}

/** The thread that reads and merges weights, so that the decoding thread never pauses for disk reads. */
export class LoaderThread {
  private readonly worker = new Worker(builtEntry(import.meta.url, 'loader.worker'));
  private readonly pending = new Map<number, Pending>();
  private calls = 0;

  constructor() {
    this.worker.on('message', (reply: LoaderReply) => this.settle(reply));
    this.worker.on('error', (error) => this.failAll(error));
    this.worker.on('exit', () => this.failAll(new Error('The loader thread has ended.')));
  }

  /** @throws EngineThreadError with the code of what went wrong */
  async load(order: LoadOrder): Promise<LoadedModel | null> {
    const call = this.calls++;
    const loaded = new Promise<LoadedModel | null>((resolve, reject) => this.pending.set(call, { resolve, reject }));
    this.worker.postMessage({ ...order, call } satisfies LoaderRequest);
    return loaded;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(reply: LoaderReply): void {
    const pending = this.pending.get(reply.call);
    this.pending.delete(reply.call);
    if ('failed' in reply) pending?.reject(fromErrorMessage(reply.failed));
    else pending?.resolve(reply.loaded);
  }

  private failAll(error: Error): void {
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}
