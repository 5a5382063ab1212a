import type { Clock } from '../../shared/time/clock.js';
import type { BucketGrant, BucketMove, BudgetGrant, Grant, GrantRequest, QuotaMove } from './grants.js';
import { budgetsOf, type Limits } from './limits.js';

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
      budgets: budgetGrants(limits, request),
    };
  }
}

const held = (limit: number | null, { hold, inUse }: QuotaMove): number =>
  Math.max(inUse, Math.min(hold, limit ?? hold));

/** The spending of other processes is unknown; a budget of a day or a month tolerates a short outage. */
function budgetGrants(limits: Limits, request: GrantRequest): Record<string, BudgetGrant> {
  const budgets = budgetsOf(limits);
  return Object.fromEntries(
    Object.entries(request.budgets).map(([name, move]) => [
      name,
      { held: held(budgets.get(name)?.nanoUsd ?? null, move), spent: null },
    ]),
  );
}

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
