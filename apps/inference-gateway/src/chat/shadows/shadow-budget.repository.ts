import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** What the shadow of a split has spent since midnight (UTC). */
@Injectable()
export class ShadowBudgetRepository {
  constructor(private readonly database: Database) {}

  /**
   * Spends what a request may cost, unless the budget of the day is used up. A process that is killed leaves it spent.
   *
   * @param limitNanoUsd null: there is no limit
   * @returns false: it is used up, or the split has ended
   */
  async reserve(splitId: string, costNanoUsd: number, limitNanoUsd: number | null): Promise<boolean> {
    const spent = await this.database.client.$executeRaw`
      UPDATE alias_splits SET spent_on = (now() AT TIME ZONE 'UTC')::date, spent_nano_usd = ${costNanoUsd}::bigint +
        CASE WHEN spent_on = (now() AT TIME ZONE 'UTC')::date THEN spent_nano_usd ELSE 0 END
      WHERE id = ${splitId}::uuid AND shadow IS NOT NULL AND (${limitNanoUsd}::bigint IS NULL
        OR spent_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date OR spent_nano_usd < ${limitNanoUsd}::bigint)`;
    return spent > 0;
  }

  /** Corrects what was reserved by what it cost. @param day UTC day of the reservation: another day's sum is not corrected */
  async settle(splitId: string, differenceNanoUsd: number, day: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE alias_splits SET spent_nano_usd = greatest(0, spent_nano_usd + ${differenceNanoUsd}::bigint)
      WHERE id = ${splitId}::uuid AND spent_on = ${day}::date`;
  }
}
