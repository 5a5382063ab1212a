import { standsFor } from '@hone/auth';

import type { BudgetGrant } from './grants.js';
import type { Budget, Need } from './limits.js';
import { QuotaShare } from './quota-share.js';

const NO_MODELS: ReadonlyMap<string, number> = new Map();

/** Nano-USD of one budget. */
export interface BudgetPart {
  readonly budget: BudgetShare;
  readonly costNanoUsd: number;
}

/** What a request reserved of a budget. */
export interface ReservedPart extends BudgetPart {
  /** Less than it may cost was left. */
  readonly isLast: boolean;
}

/** The part of one budget that this process holds, in nano-USD. */
export class BudgetShare extends QuotaShare {
  /** Sum of the costs of this day or month, as the last exchange reported it. */
  private spent = 0;
  /** Costs of ended requests that the sums in the database may not include yet. */
  private settled = 0;
  /** Running requests that reserved less than they may cost. What others return meanwhile may be theirs: nothing is free. */
  private lasts = 0;

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

  /**
   * Nothing of it is left for the request. A budget admits requests until it is used up, so the last one may cost more than is
   * left; only the process that holds all that is left may admit it, else each process would admit a last one.
   */
  isUsedUp(need: Need): boolean {
    if (this.free >= this.costOf(need)) return false;
    return this.free < 1 || !this.holds((this.limit ?? 0) - this.spent);
  }

  override get free(): number {
    return this.limit !== null && this.lasts > 0 ? 0 : super.free;
  }

  /** Reserves what a request may cost, as far as it is left. */
  reserve(need: Need): ReservedPart {
    const cost = this.costOf(need);
    const costNanoUsd = Math.min(cost, this.free);
    const isLast = costNanoUsd < cost;
    this.take(costNanoUsd);
    if (isLast) this.lasts++;
    return { budget: this, costNanoUsd, isLast };
  }

  /**
   * Settles a request that has ended.
   *
   * @returns the cost that stays in use until the sums in the database include it
   */
  settle(reserved: ReservedPart, costNanoUsd: number): number {
    const cost = this.limit === null ? 0 : costNanoUsd;
    this.take(cost - reserved.costNanoUsd);
    if (reserved.isLast) this.lasts--;
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
