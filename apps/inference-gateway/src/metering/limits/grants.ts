import type { Limits, Subject } from './limits.js';

/** Exchange of a token bucket: returns `back` unused tokens (negative: pays a debt), then requests `want`. */
export interface BucketMove {
  readonly want: number;
  readonly back: number;
}

/** Exchange of a quota, in absolute numbers: the process requests to hold `hold`, and never holds less than `inUse`. */
export interface QuotaMove {
  readonly hold: number;
  readonly inUse: number;
}

/** One exchange between a process and the limits of one subject. */
export interface GrantRequest {
  readonly requests: BucketMove;
  readonly tokens: BucketMove;
  readonly slots: QuotaMove;
  /** By the name of the budget, in nano-USD. */
  readonly budgets: Readonly<Record<string, QuotaMove>>;
}

export interface BucketGrant {
  /** At most what was wanted. */
  readonly granted: number;
  /** What is left in the shared bucket; negative: other processes are in debt. */
  readonly level: number;
}

export interface BudgetGrant {
  /** Nano-USD that this process holds from now on. */
  readonly held: number;
  /** Nano-USD that were spent in the day or month, as far as they are recorded; null: unknown. */
  readonly spent: number | null;
}

export interface Grant {
  readonly limits: Limits;
  readonly requests: BucketGrant;
  readonly tokens: BucketGrant;
  /** The amount that this process holds from now on. */
  readonly slots: number;
  /** By the name of the budget. */
  readonly budgets: Readonly<Record<string, BudgetGrant>>;
}

/** Source of grants: the database, which all processes share; while it is unavailable, this process alone. */
export interface GrantSource {
  /** @returns null: the subject has no limits */
  exchange(subject: Subject, holder: string, request: GrantRequest): Promise<Grant | null>;
}

/** Time to live of a hold: what a process holds is free again when its heartbeat stops for so long. */
export const HOLD_TTL_SECONDS = 15;
