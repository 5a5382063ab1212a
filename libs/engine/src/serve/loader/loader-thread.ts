import { Worker } from 'node:worker_threads';

import { builtUrl } from '@hone/threads';

import { fromErrorMessage } from '../../decode/error-message.js';
import type { LoadedModel, LoaderData, LoaderReply, LoaderRequest, LoadOrder } from './loader-messages.js';

interface Pending {
  resolve(loaded: LoadedModel | null): void;
  reject(error: Error): void;
}

/** The thread that reads and merges weights, so that the decoding thread never pauses for disk reads. */
export class LoaderThread {
  private worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private calls = 0;
  /** Whether it has packed a model. */
  private isUsed = false;

  constructor(private readonly data: LoaderData) {
    this.worker = this.start();
  }

  /** @throws EngineThreadError with the code of what went wrong */
  async load(order: LoadOrder): Promise<LoadedModel | null> {
    const call = this.calls++;
    const loaded = new Promise<LoadedModel | null>((resolve, reject) => this.pending.set(call, { resolve, reject }));
    this.worker.postMessage({ ...order, call } satisfies LoaderRequest);
    return loaded;
  }

  async close(): Promise<void> {
    this.isUsed = false;
    await this.worker.terminate();
  }

  private settle(reply: LoaderReply): void {
    const pending = this.pending.get(reply.call);
    this.pending.delete(reply.call);
    if ('failed' in reply) pending?.reject(fromErrorMessage(reply.failed));
    else pending?.resolve(reply.loaded);
    this.isUsed ||= 'loaded' in reply && reply.loaded?.kind === 'pack';
    // Whoever waited may ask for more of the model at once.
    setImmediate(() => {
      if (this.isUsed && this.pending.size === 0) this.renew();
    });
  }

  private start(): Worker {
    const worker = new Worker(builtUrl(import.meta.url, 'loader.worker'), { workerData: this.data });
    worker.on('message', (reply: LoaderReply) => this.settle(reply));
    worker.on('error', (error) => this.failAll(error));
    worker.on('exit', () => this.failAll(new Error('The loader thread has ended.')));
    return worker;
  }

  /** Replaces the thread to free what packing a model took: 110 MiB with 135 million parameters. */
  private renew(): void {
    this.isUsed = false;
    const old = this.worker.removeAllListeners();
    this.worker = this.start();
    void old.terminate();
  }

  private failAll(error: Error): void {
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}
