import { standsFor } from '@hone/auth';

import type { BudgetGrant } from './grants.js';
import type { Budget, Need } from './limits.js';
import { QuotaShare } from './quota-share.js';

const NO_MODELS: ReadonlyMap<string, number> = new Map();

/** The part of one budget that this process holds, in nano-USD. */
export class BudgetShare extends QuotaShare {
  /** Sum of the costs of this day or month, as the last exchange reported it. */
  private spent = 0;
  /** Costs of ended requests that the sums in the database may not include yet. */
  private settled = 0;

  constructor(readonly terms: Pick<Budget, 'period' | 'model'>) {
    super(0.01);
  }

  /** What a request costs this budget: with the dearest of the models that it is for. */
  costOf({ costNanoUsd, models = NO_MODELS }: Need): number {
    const { model } = this.terms;
    if (model === null) return costNanoUsd;
    let most = 0;
    for (const [name, cost] of models) if (cost > most && standsFor(model, name)) most = cost;
    return most;
  }

  /** Nothing of it is left for the request: a budget admits requests until it is used up. */
  isUsedUp(need: Need): boolean {
    return this.free < 1 && this.free < this.costOf(need);
  }

  /**
   * Settles a request that has ended.
   *
   * @param reserved what {@link take} took for it
   * @returns the cost that stays in use until the sums in the database include it
   */
  settle(reserved: number, costNanoUsd: number): number {
    const cost = this.limit === null ? 0 : costNanoUsd;
    this.take(cost - reserved);
    this.settled += cost;
    return cost;
  }

  /** The sums in the database now include the cost: it is no longer settled locally. */
  override spend(costNanoUsd: number): void {
    this.settled -= costNanoUsd;
    super.spend(costNanoUsd);
  }

  receiveGrant({ held, spent }: BudgetGrant, limit: number | null): void {
    this.receive(held, limit);
    this.spent = spent ?? this.spent;
  }

  /**
   * Whether the budget is used up even if all reservations were returned. The sums in the database may include settled
   * costs already, so the larger of the two counts, and not their sum. For less than a second, until the sums include
   * them, a spent budget may count as reserved.
   */
  get isSpent(): boolean {
    return Math.max(this.spent, this.settled) >= (this.limit ?? Infinity);
  }
}
