import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { RetentionRepository } from './retention.repository.js';

const INTERVAL_MS = 3_600_000;

/** Deletes expired calls once an hour, in small batches. */
@Injectable()
export class RetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(private readonly calls: RetentionRepository) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.run().catch(() => undefined); // the next hour tries again
    }, INTERVAL_MS).unref();
  }

  /** Deletes all that has expired. @returns how many calls */
  async run(): Promise<number> {
    let deleted = 0;
    while (!this.#isStopping) {
      const batch = await this.calls.deleteExpired();
      if (batch === 0) break;
      deleted += batch;
    }
    return deleted;
  }

  onApplicationShutdown(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
  }
}
