import type { Limits, Subject } from './limits.js';

/** A bucket's exchange: unused tokens go back (negative: a debt is paid), then `want` are asked for. */
export interface BucketMove {
  readonly want: number;
  readonly back: number;
}

/** A lease's exchange, in absolute numbers: a process asks to hold so much, and cannot hold less than it uses. */
export interface QuotaMove {
  readonly hold: number;
  readonly inUse: number;
}

/** One exchange between a process and the limits of one subject. */
export interface GrantRequest {
  readonly requests: BucketMove;
  readonly tokens: BucketMove;
  readonly slots: QuotaMove;
  /** Nano-USD. */
  readonly budget: QuotaMove;
}

export interface BucketGrant {
  /** At most what was wanted. */
  readonly granted: number;
  /** What is left in the bucket; negative: others are in debt. */
  readonly level: number;
}

export interface Grant {
  readonly limits: Limits;
  readonly requests: BucketGrant;
  readonly tokens: BucketGrant;
  /** Held by this process from now on. */
  readonly slots: number;
  readonly budget: number;
}

/** Where grants come from: shared by all processes, or, while that is away, this process alone. */
export interface GrantSource {
  /** @returns null: the subject has no limits */
  exchange(subject: Subject, holder: string, request: GrantRequest): Promise<Grant | null>;
}

/** What was leased is anyone's again after this long without a sign of its holder. */
export const LEASE_SECONDS = 15;
