/** Subject of limits: a key, or a project with all its keys. */
export interface Subject {
  readonly scope: 'key' | 'project';
  /** Row id. */
  readonly id: string;
}

/** Budgets of the models that a name stands for: one model, or all that begin so where it ends in `*`. Null: no such budget. */
export interface ModelBudget {
  /** As `standsFor` reads it, of ids of routes. */
  readonly model: string;
  /** Per UTC day. */
  readonly dailyBudgetNanoUsd: number | null;
  /** Per UTC month. */
  readonly monthlyBudgetNanoUsd: number | null;
}

/** Rate limits, quotas and budgets. Null: no such limit. 0: every request is refused. */
export interface Limits {
  /** Both rates: capacity of a token bucket, and its refill per minute. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrentRequests: number | null;
  /** Per UTC day. */
  readonly dailyBudgetNanoUsd: number | null;
  /** Per UTC month. */
  readonly monthlyBudgetNanoUsd: number | null;
  /** Of different names. */
  readonly modelBudgets: readonly ModelBudget[];
}

export type LimitName = 'requests' | 'tokens' | 'concurrency' | 'budget';

export const NO_LIMITS: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentRequests: null,
  dailyBudgetNanoUsd: null,
  monthlyBudgetNanoUsd: null,
  modelBudgets: [],
};

/** A budget: nano-USD that may be spent in each UTC day or month. */
export interface Budget {
  readonly period: 'day' | 'month';
  /** Of {@link ModelBudget}; null: of all models. */
  readonly model: string | null;
  /** Null: no such budget. */
  readonly nanoUsd: number | null;
}

/**
 * Budgets of a subject by their names, by which a process and the database exchange grants: `day` and `month` always, and
 * `day:<model>` and `month:<model>` where a model has such a budget.
 */
export function budgetsOf(limits: Limits): ReadonlyMap<string, Budget> {
  const budgets = new Map<string, Budget>([
    ['day', { period: 'day', model: null, nanoUsd: limits.dailyBudgetNanoUsd }],
    ['month', { period: 'month', model: null, nanoUsd: limits.monthlyBudgetNanoUsd }],
  ]);
  for (const { model, dailyBudgetNanoUsd: daily, monthlyBudgetNanoUsd: monthly } of limits.modelBudgets) {
    if (daily !== null) budgets.set(`day:${model}`, { period: 'day', model, nanoUsd: daily });
    if (monthly !== null) budgets.set(`month:${model}`, { period: 'month', model, nanoUsd: monthly });
  }
  return budgets;
}

/** What one request needs of a key's and a project's limits, beside one request and one concurrency slot. */
export interface Need {
  /** Tokens of the prompt and of the answer, estimated. */
  readonly tokens: number;
  /** Estimated cost. 0 for a model without a price: budgets do not apply. */
  readonly costNanoUsd: number;
  /** What it costs with each model that may answer, by the ids of their routes, in order. Absent: budgets of models do not apply. */
  readonly models?: ReadonlyMap<string, number> | undefined;
  /** Rate limits and concurrency slots stay with the requests of callers. Absent: they apply. */
  readonly ofBudgetsAlone?: boolean | undefined;
}

export const subjectKey = ({ scope, id }: Subject): string => `${scope}/${id}`;
