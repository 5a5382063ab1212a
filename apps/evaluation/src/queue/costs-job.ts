import { PeriodicJob } from '@hone/platform';

import type { Claim } from './claim.record.js';
import type { CostCursor, LeasedItemsRepository } from './leased-items.repository.js';

const EVERY_MS = 3_000;

/** Books what items cost whose requests had no answer here: their process was killed, or the gateway was late. */
export abstract class CostsJob<C extends Claim> extends PeriodicJob {
  /** Where the next run goes on: items stay open for a while, and the oldest ones hold up no others. */
  private after: CostCursor | null = null;

  /** @param firstMs not at the time of the other jobs, so that an idle service needs one connection */
  protected constructor(
    private readonly items: LeasedItemsRepository<C>,
    firstMs: number,
  ) {
    super(EVERY_MS, firstMs);
  }

  async run(): Promise<void> {
    this.after = await this.items.bookCosts(this.after);
    await this.items.deleteAbandoned();
  }
}
