import type { Clock } from '../../shared/time/clock.js';
import type { BucketGrant, BucketMove, Grant, GrantRequest, QuotaMove } from './grants.js';
import type { Limits } from './limits.js';

const MINUTE_MS = 60_000;

/** The limits of one subject as this process alone sees them, while the database is away. */
export class LocalGrants {
  readonly #requests = new LocalBucket();
  readonly #tokens = new LocalBucket();

  constructor(private readonly clock: Clock) {}

  exchange(limits: Limits, request: GrantRequest): Grant {
    const nowMs = this.clock.now();
    return {
      limits,
      requests: this.#requests.exchange(limits.requestsPerMinute, request.requests, nowMs),
      tokens: this.#tokens.exchange(limits.tokensPerMinute, request.tokens, nowMs),
      slots: held(limits.concurrentRequests, request.slots),
      // What others have spent cannot be known: a month's budget is not what a short absence decides.
      budget: held(limits.monthlyBudgetNanoUsd, request.budget),
    };
  }
}

const held = (limit: number | null, { hold, inUse }: QuotaMove): number =>
  Math.max(inUse, Math.min(hold, limit ?? hold));

class LocalBucket {
  #level: number | undefined;
  #refilledMs = 0;

  exchange(limit: number | null, { want, back }: BucketMove, nowMs: number): BucketGrant {
    if (limit === null) return { granted: 0, level: 0 };
    const refill = ((nowMs - this.#refilledMs) / MINUTE_MS) * limit;
    const level = this.#level === undefined ? limit : Math.min(limit, this.#level + back + refill);
    const granted = Math.min(want, Math.max(0, Math.floor(level)));
    this.#level = level - granted;
    this.#refilledMs = nowMs;
    return { granted, level: this.#level };
  }
}
