/** Subject of limits: a key, or a project with all its keys. */
export interface Subject {
  readonly scope: 'key' | 'project';
  /** Row id. */
  readonly id: string;
}

/** Rate limits, quotas and budget. Null: no such limit. 0: every request is refused. */
export interface Limits {
  /** Both rates: capacity of a token bucket, and its refill per minute. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrentRequests: number | null;
  /** Per UTC day. */
  readonly dailyBudgetNanoUsd: number | null;
  /** Per UTC month. */
  readonly monthlyBudgetNanoUsd: number | null;
}

export type LimitName = 'requests' | 'tokens' | 'concurrency' | 'budget';

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentRequests: null,
  dailyBudgetNanoUsd: null,
  monthlyBudgetNanoUsd: null,
};

/** A budget: nano-USD that may be spent in each UTC day or month. */
export interface Budget {
  readonly period: 'day' | 'month';
  readonly nanoUsd: number | null;
}

/** Budgets of a subject by their names, by which a process and the database exchange grants. Null: no such budget. */
export const budgetsOf = ({ dailyBudgetNanoUsd, monthlyBudgetNanoUsd }: Limits): ReadonlyMap<string, Budget> =>
  new Map<string, Budget>([
    ['day', { period: 'day', nanoUsd: dailyBudgetNanoUsd }],
    ['month', { period: 'month', nanoUsd: monthlyBudgetNanoUsd }],
  ]);

/** What one request needs of a key's and a project's limits, beside one request and one concurrency slot. */
export interface Need {
  /** Tokens of the prompt and of the answer, estimated. */
  readonly tokens: number;
  /** Estimated cost. 0 for a model without a price: budgets do not apply. */
  readonly costNanoUsd: number;
}

export const subjectKey = ({ scope, id }: Subject): string => `${scope}/${id}`;
