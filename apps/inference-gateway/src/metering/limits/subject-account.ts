import type { RetryHeaders } from '../../shared/errors/retry-headers.js';
import type { Clock } from '../../shared/time/clock.js';
import { BucketShare } from './bucket-share.js';
import type { Grant, GrantRequest } from './grants.js';
import { LimitExceededError } from './limits.errors.js';
import { type LimitName, type Limits, type Need, NO_LIMITS, type Subject } from './limits.js';
import { QuotaShare } from './quota-share.js';

/** Retry-After of a request that waits until others end, which nobody can predict: for a slot or reserved budget. */
const ENDED_WAIT_MS = 1_000;

/** What one request reserved of one subject's limits. */
export interface Taken {
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** The part of one key's or project's limits (rate limits, quotas, budget) that was granted to this process. */
export class SubjectAccount {
  readonly requests = new BucketShare();
  readonly tokens = new BucketShare();
  readonly slots = new QuotaShare(0.05);
  readonly budget = new QuotaShare(0.01);
  limits: Limits = NO_LIMITS;
  /** Sum of the costs of this month, as the last exchange reported it. */
  private spent = 0;
  /** Costs of ended requests that the sums in the database may not include yet. */
  private settled = 0;

  constructor(
    readonly subject: Subject,
    private readonly clock: Clock,
  ) {}

  /** The first limit whose local grant is too small; null: the request may pass. */
  lacking(need: Need): LimitName | null {
    if (!this.requests.covers(1)) return 'requests';
    if (!this.tokens.covers(need.tokens)) return 'tokens';
    if (this.slots.free < 1) return 'concurrency';
    return this.budget.free < need.costNanoUsd ? 'budget' : null;
  }

  /** The limit that refuses the request after a grant call: a budget admits requests until it is used up. */
  exceeded(need: Need): LimitName | null {
    const limit = this.lacking(need);
    return limit === 'budget' && this.budget.free >= 1 ? null : limit;
  }

  take(need: Need): Taken {
    const taken = {
      tokens: this.tokens.amountOf(need.tokens),
      costNanoUsd: Math.min(need.costNanoUsd, this.budget.free),
    };
    this.requests.take(1);
    this.tokens.take(taken.tokens);
    this.slots.take(1);
    this.budget.take(taken.costNanoUsd);
    return taken;
  }

  /**
   * Settles a request that has ended: returns what it reserved beyond its usage, or charges the difference.
   *
   * @returns the cost that stays in use until the budget's sum in the database includes it
   */
  settle(taken: Taken, actual: Need): number {
    const cost = this.budget.limit === null ? 0 : actual.costNanoUsd;
    this.tokens.take(actual.tokens - taken.tokens);
    this.slots.take(-1);
    this.budget.take(cost - taken.costNanoUsd);
    this.settled += cost;
    return cost;
  }

  /** The sums in the database now include the cost: it is no longer settled locally. */
  spend(costNanoUsd: number): void {
    this.settled -= costNanoUsd;
    this.budget.spend(costNanoUsd);
  }

  /** @param waiting needs of the requests that wait for this exchange */
  topUp(waiting: readonly Need[]): GrantRequest {
    const sum = (amountOf: (need: Need) => number) => waiting.reduce((total, need) => total + amountOf(need), 0);
    return {
      requests: this.requests.topUp(waiting.length),
      tokens: this.tokens.topUp(sum((need) => this.tokens.amountOf(need.tokens))),
      slots: this.slots.topUp(waiting.length),
      budget: this.budget.topUp(sum((need) => need.costNanoUsd)),
    };
  }

  /** Builds the request that returns unused grants and renews holds; null: there is nothing to return or to renew. */
  giveBack(isWindowOver: boolean): GrantRequest | null {
    const hadHold = this.slots.isHeld || this.budget.isHeld;
    const request = {
      requests: this.requests.giveBack(isWindowOver),
      tokens: this.tokens.giveBack(isWindowOver),
      slots: this.slots.giveBack(isWindowOver),
      budget: this.budget.giveBack(isWindowOver),
    };
    const isDue = request.requests.back !== 0 || request.tokens.back !== 0 || (isWindowOver && hadHold);
    return isDue ? request : null;
  }

  receive(grant: Grant): void {
    const nowMs = this.clock.now();
    this.limits = grant.limits;
    this.requests.receive(grant.requests, grant.limits.requestsPerMinute, nowMs);
    this.tokens.receive(grant.tokens, grant.limits.tokensPerMinute, nowMs);
    this.slots.receive(grant.slots, grant.limits.concurrentRequests);
    this.budget.receive(grant.budget, grant.limits.monthlyBudgetNanoUsd);
    this.spent = grant.spent ?? this.spent;
  }

  /** Applies limits that were read without an exchange. */
  setLimits(limits: Limits): void {
    this.limits = limits;
    this.requests.limit = limits.requestsPerMinute;
    this.tokens.limit = limits.tokensPerMinute;
    this.slots.limit = limits.concurrentRequests;
    this.budget.limit = limits.monthlyBudgetNanoUsd;
  }

  /** The exchange failed: nothing was returned. */
  restore(request: GrantRequest): void {
    this.requests.restore(request.requests);
    this.tokens.restore(request.tokens);
  }

  /** @param headers of the error beside those of a retry */
  refusal(limit: LimitName, need: Need, headers: RetryHeaders): LimitExceededError {
    return new LimitExceededError(limit, this.subject.scope, this.limits, this.waitMs(limit, need), headers);
  }

  /** Every response carries rate limit headers. */
  get hasRates(): boolean {
    return this.requests.limit !== null || this.tokens.limit !== null;
  }

  get isLimited(): boolean {
    return Object.values(this.limits).some((limit) => limit !== null);
  }

  get isIdle(): boolean {
    return this.requests.isIdle && this.tokens.isIdle && this.slots.isIdle && this.budget.isIdle;
  }

  /**
   * Whether the budget is used up even if all reservations were returned. The sums in the database may include settled
   * costs already, so the larger of the two counts, and not their sum. For less than a second, until the sums include
   * them, a spent budget may count as reserved.
   */
  private get isSpent(): boolean {
    return Math.max(this.spent, this.settled) >= (this.budget.limit ?? Infinity);
  }

  private waitMs(limit: LimitName, need: Need): number | null {
    if (limit === 'budget') return this.isSpent ? null : ENDED_WAIT_MS;
    if (limit === 'requests') return this.requests.waitMs(1, this.clock.now());
    if (limit === 'tokens') return this.tokens.waitMs(need.tokens, this.clock.now());
    return ENDED_WAIT_MS;
  }
}
