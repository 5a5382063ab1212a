import { Injectable } from '@nestjs/common';

import { PeriodicJob } from '../jobs/periodic-job.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const INTERVAL_MS = 3_600_000;

/** Forgets old answers once an hour. Several processes may do so: each deletes what is left. */
@Injectable()
export class IdempotencyCleaner extends PeriodicJob {
  constructor(private readonly answers: IdempotencyRepository) {
    super(INTERVAL_MS);
  }

  async run(): Promise<void> {
    await this.answers.deleteExpired();
  }
}
