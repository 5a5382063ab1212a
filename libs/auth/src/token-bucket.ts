import { leastRecentlyUsed } from '@hone/database';

const MAX_BUCKETS = 100_000;

/** When a reserved token is there. */
export interface TokenReservation {
  /** Milliseconds until the token is there; 0: now. */
  readonly waitMs: number;
  /** Milliseconds by which the wait exceeds the longest one allowed; above 0, no token was taken. */
  readonly excessMs: number;
}

/** Token buckets by key, for rate limits: `capacity` at once, refilled at `perSecond`. */
export class TokenBuckets {
  private readonly buckets = leastRecentlyUsed<{ tokens: number; at: number }>({ max: MAX_BUCKETS });

  constructor(
    private readonly perSecond: number,
    private readonly capacity: number,
  ) {}

  /** Takes one token; returns 0, or the seconds (at least 1) until there is one. */
  take(key: string, nowMs = Date.now()): number {
    const bucket = this.refilled(key, nowMs);
    if (bucket.tokens < 1) return this.wait(bucket.tokens);
    bucket.tokens--;
    return 0;
  }

  /** Like {@link take} without taking. */
  check(key: string, nowMs = Date.now()): number {
    const { tokens } = this.refilled(key, nowMs);
    return tokens < 1 ? this.wait(tokens) : 0;
  }

  /** Takes one token, also one that is not there yet: the bucket goes into debt. */
  reserve(key: string, maxWaitMs: number, nowMs = Date.now()): TokenReservation {
    const bucket = this.refilled(key, nowMs);
    const waitMs = Math.max(0, ((1 - bucket.tokens) / this.perSecond) * 1_000);
    const excessMs = Math.max(0, waitMs - maxWaitMs);
    if (excessMs === 0) bucket.tokens--;
    return { waitMs, excessMs };
  }

  private wait(tokens: number): number {
    return Math.max(1, Math.ceil((1 - tokens) / this.perSecond));
  }

  private refilled(key: string, nowMs: number): { tokens: number; at: number } {
    const bucket = this.buckets.get(key) ?? { tokens: this.capacity, at: nowMs };
    bucket.tokens = Math.min(this.capacity, bucket.tokens + ((nowMs - bucket.at) / 1_000) * this.perSecond);
    bucket.at = nowMs;
    this.buckets.set(key, bucket);
    return bucket;
  }
}
