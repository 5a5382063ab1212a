/** Who is limited: a key, or a project through all of its keys. */
export interface Subject {
  readonly scope: 'key' | 'project';
  /** Row id. */
  readonly id: string;
}

/** Null: no such limit. 0: nothing passes. */
export interface Limits {
  /** Both: capacity of a token bucket, and what flows into it in a minute. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrentRequests: number | null;
  /** Per UTC month. */
  readonly monthlyBudgetNanoUsd: number | null;
}

export type LimitName = 'requests' | 'tokens' | 'concurrency' | 'budget';

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentRequests: null,
  monthlyBudgetNanoUsd: null,
};

/** What one request takes from the limits of a key and of its project; it takes one request and one slot besides. */
export interface Need {
  /** Of the prompt and, as far as one can know, of the answer. */
  readonly tokens: number;
  /** Estimated cost. 0, for a model without a price: budgets have no part. */
  readonly costNanoUsd: number;
}

export const subjectKey = ({ scope, id }: Subject): string => `${scope}/${id}`;
