import { PeriodicJob } from '@hone/platform';

import type { Claim } from './claim.record.js';
import type { LeasedItemsRepository } from './leased-items.repository.js';

const EVERY_MS = 3_000;

/** Books what items cost whose requests had no answer here: their process was killed, or the gateway was late. */
export abstract class CostsJob<C extends Claim> extends PeriodicJob {
  protected constructor(private readonly items: LeasedItemsRepository<C>) {
    super(EVERY_MS);
  }

  async run(): Promise<void> {
    await this.items.deleteAbandoned();
    while (!this.isStopping && (await this.items.bookCosts()));
  }
}
