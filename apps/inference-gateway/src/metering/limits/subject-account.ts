import type { RetryHeaders } from '../../shared/errors/retry-headers.js';
import type { Clock } from '../../shared/time/clock.js';
import { BucketShare } from './bucket-share.js';
import { type BudgetPart, BudgetShare, type ReservedPart } from './budget-share.js';
import type { BudgetGrant, Grant, GrantRequest, QuotaMove } from './grants.js';
import { LimitExceededError } from './limits.errors.js';
import { budgetsOf, type LimitName, type Limits, type Need, NO_LIMITS, type Subject } from './limits.js';
import { QuotaShare } from './quota-share.js';

/** Retry-After of a request that waits until others end, which nobody can predict: for a slot or reserved budget. */
const ENDED_WAIT_MS = 1_000;

const NOTHING: BudgetGrant = { held: 0, spent: null };

/** What one request reserved of one subject's limits. */
export interface Taken {
  readonly tokens: number;
  /** Requests, and concurrency slots: 1, or 0 where only budgets apply. */
  readonly requests: number;
  readonly budgets: readonly ReservedPart[];
}

/** The part of one key's or project's limits (rate limits, quotas, budgets) that was granted to this process. */
export class SubjectAccount {
  readonly requests = new BucketShare();
  readonly tokens = new BucketShare();
  readonly slots = new QuotaShare(0.05);
  limits: Limits = NO_LIMITS;
  /** By name. Those of all models count without a limit too: a limit may be set later. */
  private readonly budgets = new Map<string, BudgetShare>();

  constructor(
    readonly subject: Subject,
    private readonly clock: Clock,
  ) {
    this.nameBudgets();
  }

  /** The first limit whose local grant is too small; null: the request may pass. */
  lacking(need: Need): LimitName | null {
    if (need.ofBudgetsAlone !== true) {
      if (!this.requests.covers(1)) return 'requests';
      if (!this.tokens.covers(need.tokens)) return 'tokens';
      if (this.slots.free < 1) return 'concurrency';
    }
    for (const budget of this.budgets.values()) if (budget.free < budget.costOf(need)) return 'budget';
    return null;
  }

  /** The limit that refuses the request after a grant call: a budget admits requests until it is used up. */
  exceeded(need: Need): LimitName | null {
    const limit = this.lacking(need);
    return limit === 'budget' && this.usedUp(need).length === 0 ? null : limit;
  }

  take(need: Need): Taken {
    const budgets = [...this.budgets.values()].map((budget) => budget.reserve(need));
    const requests = requestsOf(need);
    const taken = { requests, tokens: this.tokensOf(need), budgets };
    this.requests.take(requests);
    this.tokens.take(taken.tokens);
    this.slots.take(requests);
    return taken;
  }

  /**
   * Settles a request that has ended: returns what it reserved beyond its usage, or charges the difference.
   *
   * @returns the costs that stay in use until the budgets' sums in the database include them
   */
  settle(taken: Taken, actual: Need): readonly BudgetPart[] {
    if (taken.requests > 0) this.tokens.take(actual.tokens - taken.tokens);
    this.slots.take(-taken.requests);
    return taken.budgets.map((part) => ({
      budget: part.budget,
      costNanoUsd: part.budget.settle(part, part.budget.costOf(actual)),
    }));
  }

  /** @param waiting needs of the requests that wait for this exchange */
  topUp(waiting: readonly Need[]): GrantRequest {
    const sum = (amountOf: (need: Need) => number) => waiting.reduce((total, need) => total + amountOf(need), 0);
    return {
      requests: this.requests.topUp(sum(requestsOf)),
      tokens: this.tokens.topUp(sum((need) => this.tokensOf(need))),
      slots: this.slots.topUp(sum(requestsOf)),
      budgets: this.movesOf((budget) => budget.topUp(sum((need) => budget.costOf(need)))),
    };
  }

  /** Builds the request that returns unused grants and renews holds; null: there is nothing to return or to renew. */
  giveBack(isWindowOver: boolean): GrantRequest | null {
    const hadHold = this.slots.isHeld || [...this.budgets.values()].some((budget) => budget.isHeld);
    const request = {
      requests: this.requests.giveBack(isWindowOver),
      tokens: this.tokens.giveBack(isWindowOver),
      slots: this.slots.giveBack(isWindowOver),
      budgets: this.movesOf((budget) => budget.giveBack(isWindowOver)),
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
    this.nameBudgets();
    for (const [name, { nanoUsd }] of budgetsOf(grant.limits)) {
      this.budgets.get(name)?.receiveGrant(grant.budgets[name] ?? NOTHING, nanoUsd);
    }
  }

  /** Applies limits that were read without an exchange. */
  setLimits(limits: Limits): void {
    this.limits = limits;
    this.requests.limit = limits.requestsPerMinute;
    this.tokens.limit = limits.tokensPerMinute;
    this.slots.limit = limits.concurrentRequests;
    this.nameBudgets();
    for (const [name, { nanoUsd }] of budgetsOf(limits)) {
      const budget = this.budgets.get(name);
      if (budget) budget.limit = nanoUsd;
    }
  }

  /** The exchange failed: nothing was returned. */
  restore(request: GrantRequest): void {
    this.requests.restore(request.requests);
    this.tokens.restore(request.tokens);
  }

  /** Whether a budget of some models refuses the request after a grant call, and for how long. Null: none does. */
  refusingModels(need: Need): 'spent' | 'reserved' | null {
    const usedUp = this.usedUp(need).filter(({ terms }) => terms.model !== null);
    if (usedUp.length === 0) return null;
    return usedUp.some(({ isSpent }) => isSpent) ? 'spent' : 'reserved';
  }

  /** @param headers of the error beside those of a retry */
  refusal(limit: LimitName, need: Need, headers: RetryHeaders): LimitExceededError {
    const budget = limit === 'budget' ? this.refusing(need) : null;
    const waitMs = budget?.isSpent ? null : this.waitMs(limit, need);
    const terms = { scope: this.subject.scope, limits: this.limits, budget: budget?.terms };
    return new LimitExceededError(limit, terms, waitMs, headers);
  }

  /** Every response carries rate limit headers. */
  get hasRates(): boolean {
    return this.requests.limit !== null || this.tokens.limit !== null;
  }

  get isLimited(): boolean {
    const { modelBudgets, ...others } = this.limits;
    return modelBudgets.length > 0 || Object.values(others).some((limit) => limit !== null);
  }

  get isIdle(): boolean {
    const areIdle = [...this.budgets.values()].every((budget) => budget.isIdle);
    return this.requests.isIdle && this.tokens.isIdle && this.slots.isIdle && areIdle;
  }

  /** Budgets of which nothing is left for the request. */
  private usedUp(need: Need): BudgetShare[] {
    return [...this.budgets.values()].filter((budget) => budget.isUsedUp(need));
  }

  /** A spent budget before one that is only reserved: a retry would meet it too. */
  private refusing(need: Need): BudgetShare | null {
    const usedUp = this.usedUp(need);
    return usedUp.find(({ isSpent }) => isSpent) ?? usedUp[0] ?? null;
  }

  /** Adds the budgets that the limits name. One that they no longer name goes once nothing of it is in use: it may be set again. */
  private nameBudgets(): void {
    const named = budgetsOf(this.limits);
    for (const [name, terms] of named) if (!this.budgets.has(name)) this.budgets.set(name, new BudgetShare(terms));
    for (const [name, budget] of this.budgets) {
      if (named.has(name)) continue;
      budget.receive(0, null);
      if (budget.isIdle) this.budgets.delete(name);
    }
  }

  private tokensOf(need: Need): number {
    return need.ofBudgetsAlone === true ? 0 : this.tokens.amountOf(need.tokens);
  }

  private movesOf(moveOf: (budget: BudgetShare) => QuotaMove): Record<string, QuotaMove> {
    return Object.fromEntries([...this.budgets].map(([name, budget]) => [name, moveOf(budget)]));
  }

  private waitMs(limit: LimitName, need: Need): number {
    if (limit === 'requests') return this.requests.waitMs(1, this.clock.now());
    if (limit === 'tokens') return this.tokens.waitMs(need.tokens, this.clock.now());
    return ENDED_WAIT_MS;
  }
}

const requestsOf = ({ ofBudgetsAlone }: Need): number => (ofBudgetsAlone === true ? 0 : 1);
