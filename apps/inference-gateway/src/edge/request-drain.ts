import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';

import { DenseSet } from '../shared/collections/dense-set.js';
import { serverStopping } from '../shared/errors/unavailable.errors.js';
import type { Exchange } from './exchange.js';

/** Injection token of the drain time in milliseconds: how long running requests may take at a shutdown. */
export const DRAIN_MS = Symbol('drain ms');

/**
 * Drains the gateway at a shutdown (graceful shutdown): refuses new requests, lets running ones finish within the drain
 * time, and then ends them with an error.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  private readonly running = new DenseSet<Exchange>();
  private isDraining = false;
  private onIdle: () => void = () => undefined;

  constructor(@Inject(DRAIN_MS) private readonly drainMs: number) {}

  /** @param work answers the request and records its usage */
  async run(exchange: Exchange, work: () => Promise<void>): Promise<void> {
    if (this.isDraining) return exchange.refuse(serverStopping());
    const entry = this.running.add(exchange);
    try {
      await work();
    } finally {
      this.running.delete(entry);
      if (this.running.size === 0) this.onIdle();
    }
  }

  /** The server still listens: new requests get a 503, so that a proxy retries elsewhere. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isDraining = true;
    if (this.running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
      timer = setTimeout(resolve, this.drainMs);
    });
    clearTimeout(timer);
    for (const exchange of this.running.members()) exchange.stop();
  }
}
