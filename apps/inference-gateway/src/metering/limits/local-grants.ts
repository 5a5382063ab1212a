import type { Clock } from '../../shared/time/clock.js';
import type { BucketGrant, BucketMove, Grant, GrantRequest, QuotaMove } from './grants.js';
import type { Limits } from './limits.js';

const MINUTE_MS = 60_000;

/** Grants of one subject while the database is unavailable: this process applies the limits by itself. */
export class LocalGrants {
  private readonly requests = new LocalBucket();
  private readonly tokens = new LocalBucket();

  constructor(private readonly clock: Clock) {}

  exchange(limits: Limits, request: GrantRequest): Grant {
    const nowMs = this.clock.now();
    return {
      limits,
      requests: this.requests.exchange(limits.requestsPerMinute, request.requests, nowMs),
      tokens: this.tokens.exchange(limits.tokensPerMinute, request.tokens, nowMs),
      slots: held(limits.concurrentRequests, request.slots),
      // The spending of other processes is unknown; a monthly budget tolerates a short outage.
      budget: held(limits.monthlyBudgetNanoUsd, request.budget),
      spent: null,
    };
  }
}

const held = (limit: number | null, { hold, inUse }: QuotaMove): number =>
  Math.max(inUse, Math.min(hold, limit ?? hold));

class LocalBucket {
  private level: number | undefined;
  private refilledMs = 0;

  exchange(limit: number | null, { want, back }: BucketMove, nowMs: number): BucketGrant {
    if (limit === null) return { granted: 0, level: 0 };
    const refill = ((nowMs - this.refilledMs) / MINUTE_MS) * limit;
    const level = this.level === undefined ? limit : Math.min(limit, this.level + back + refill);
    const granted = Math.min(want, Math.max(0, Math.floor(level)));
    this.level = level - granted;
    this.refilledMs = nowMs;
    return { granted, level: this.level };
  }
}
