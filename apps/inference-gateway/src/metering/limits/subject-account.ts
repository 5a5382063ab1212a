import type { Clock } from '../../shared/time/clock.js';
import { BucketShare } from './bucket-share.js';
import type { Grant, GrantRequest } from './grants.js';
import { QuotaShare } from './quota-share.js';
import { type LimitName, type Limits, type Need, NO_LIMITS, type Subject } from './limits.js';
import { LimitExceededError } from './limits.errors.js';

/** Retry-After of a request that found no free slot: nobody knows when one will be. */
const SLOT_WAIT_MS = 1_000;

/** What one request took from one subject. */
export interface Taken {
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** What this process was granted of the limits of one key or project; every method but `exchange` is synchronous. */
export class SubjectAccount {
  readonly requests = new BucketShare();
  readonly tokens = new BucketShare();
  readonly slots = new QuotaShare(0.05);
  readonly budget = new QuotaShare(0.01);
  limits: Limits = NO_LIMITS;

  constructor(
    readonly subject: Subject,
    private readonly clock: Clock,
  ) {}

  /** The first limit that has too little here; null: the request may pass. */
  lacking(need: Need): LimitName | null {
    if (!this.requests.covers(1)) return 'requests';
    if (!this.tokens.covers(need.tokens)) return 'tokens';
    if (this.slots.free < 1) return 'concurrency';
    return this.budget.free < need.costNanoUsd ? 'budget' : null;
  }

  /** After a grant call: a budget passes as long as anything is left of it. */
  lackingForGood(need: Need): LimitName | null {
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
   * The request is over: what it took too much comes back, what it took too little is charged.
   *
   * @returns the cost that stays in use until the sums of the budget have it
   */
  settle(taken: Taken, actual: Need): number {
    const cost = this.budget.limit === null ? 0 : actual.costNanoUsd;
    this.tokens.take(actual.tokens - taken.tokens);
    this.slots.take(-1);
    this.budget.take(cost - taken.costNanoUsd);
    return cost;
  }

  /** @param waiting needs of the requests that wait for this call */
  topUp(waiting: readonly Need[]): GrantRequest {
    const sum = (amountOf: (need: Need) => number) => waiting.reduce((total, need) => total + amountOf(need), 0);
    return {
      requests: this.requests.topUp(waiting.length),
      tokens: this.tokens.topUp(sum((need) => this.tokens.amountOf(need.tokens))),
      slots: this.slots.topUp(waiting.length),
      budget: this.budget.topUp(sum((need) => need.costNanoUsd)),
    };
  }

  /** Null: there is nothing to give back and nothing to keep alive. */
  giveBack(isWindowOver: boolean): GrantRequest | null {
    const hadLease = this.slots.isHeld || this.budget.isHeld;
    const request = {
      requests: this.requests.giveBack(isWindowOver),
      tokens: this.tokens.giveBack(isWindowOver),
      slots: this.slots.giveBack(isWindowOver),
      budget: this.budget.giveBack(isWindowOver),
    };
    const isDue = request.requests.back !== 0 || request.tokens.back !== 0 || (isWindowOver && hadLease);
    return isDue ? request : null;
  }

  receive(grant: Grant): void {
    const nowMs = this.clock.now();
    this.limits = grant.limits;
    this.requests.receive(grant.requests, grant.limits.requestsPerMinute, nowMs);
    this.tokens.receive(grant.tokens, grant.limits.tokensPerMinute, nowMs);
    this.slots.receive(grant.slots, grant.limits.concurrentRequests);
    this.budget.receive(grant.budget, grant.limits.monthlyBudgetNanoUsd);
  }

  /** Other limits than before, read without an exchange. */
  setLimits(limits: Limits): void {
    this.limits = limits;
    this.requests.limit = limits.requestsPerMinute;
    this.tokens.limit = limits.tokensPerMinute;
    this.slots.limit = limits.concurrentRequests;
    this.budget.limit = limits.monthlyBudgetNanoUsd;
  }

  /** An exchange did not happen. */
  restore(request: GrantRequest): void {
    this.requests.restore(request.requests);
    this.tokens.restore(request.tokens);
  }

  refusal(limit: LimitName, need: Need): LimitExceededError {
    return new LimitExceededError(limit, this.subject.scope, this.limits, this.#waitMs(limit, need));
  }

  /** Its limits are told with every answer. */
  get hasRates(): boolean {
    return this.requests.limit !== null || this.tokens.limit !== null;
  }

  get isLimited(): boolean {
    return Object.values(this.limits).some((limit) => limit !== null);
  }

  get isIdle(): boolean {
    return this.requests.isIdle && this.tokens.isIdle && this.slots.isIdle && this.budget.isIdle;
  }

  #waitMs(limit: LimitName, need: Need): number {
    if (limit === 'requests') return this.requests.waitMs(1, this.clock.now());
    if (limit === 'tokens') return this.tokens.waitMs(need.tokens, this.clock.now());
    return SLOT_WAIT_MS;
  }
}
