import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import {
  EXPIRED_KINDS,
  type ExpiredCalls,
  type ExpiredKind,
  RETENTION_BATCH_CALLS,
  RetentionRepository,
} from './retention.repository.js';

const INTERVAL_MS = 3_600_000;
/** A process that never lives for an hour deletes, too. */
const FIRST_MS = 300_000;

/** Deletes expired calls once an hour, in small batches. */
@Injectable()
export class RetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(private readonly calls: RetentionRepository) {}

  onApplicationBootstrap(): void {
    this.#runIn(FIRST_MS);
  }

  /** Deletes all that has expired, unless another process does already, or this one stops. @returns how many calls */
  async run(): Promise<number> {
    let deleted = 0;
    for (const [expired, kind] of await this.#piles()) {
      for (let batch = RETENTION_BATCH_CALLS; batch === RETENTION_BATCH_CALLS; deleted += batch) {
        const count = this.#isStopping ? null : await this.calls.deleteBatch(expired, kind);
        if (count === null) return deleted;
        batch = count;
      }
    }
    return deleted;
  }

  async #piles(): Promise<[ExpiredCalls, ExpiredKind][]> {
    return (await this.calls.list()).flatMap((expired) =>
      EXPIRED_KINDS.map((kind): [ExpiredCalls, ExpiredKind] => [expired, kind]),
    );
  }

  onApplicationShutdown(): void {
    this.#isStopping = true;
    clearTimeout(this.#timer);
  }

  #runIn(ms: number): void {
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => {
      this.run()
        .catch(() => undefined) // the next hour tries again
        .finally(() => this.#runIn(INTERVAL_MS));
    }, ms).unref();
  }
}
