import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 3_600_000;

/** Forgets old answers once an hour. Several processes may do so: each deletes what is left. */
@Injectable()
export class IdempotencyCleaner implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly answers: IdempotencyRepository) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.answers.deleteExpired().catch(() => undefined); // the next hour tries again
    }, INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }
}
