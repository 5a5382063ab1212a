import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';

import { Crowd } from '../upstreams/crowd.js';
import type { Exchange } from './exchange.js';
import { serverStopping } from './unavailable.errors.js';

/** Injection token of how long running requests may take once the process is asked to stop, in milliseconds. */
export const DRAIN_MS = Symbol('drain ms');

/**
 * Knows the requests that run. When the process is to stop, new ones are refused, and those that run may end, for a
 * while: then they are told why they do not.
 */
@Injectable()
export class RequestDrain implements BeforeApplicationShutdown {
  private readonly running = new Crowd<Exchange>();
  private isDraining = false;
  private onIdle: () => void = () => undefined;

  constructor(@Inject(DRAIN_MS) private readonly drainMs: number) {}

  /** @param work answers the request, to its last record */
  async run(exchange: Exchange, work: () => Promise<void>): Promise<void> {
    if (this.isDraining) return exchange.refuse(serverStopping());
    const place = this.running.add(exchange);
    try {
      await work();
    } finally {
      this.running.delete(place);
      if (this.running.size === 0) this.onIdle();
    }
  }

  /** The server still listens: whoever comes now is told to go elsewhere. */
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
