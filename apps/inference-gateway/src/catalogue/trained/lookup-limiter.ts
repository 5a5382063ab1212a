import { TokenBuckets } from '@hone/auth';

import type { Clock } from '../../shared/time/clock.js';
import { TooManyLookupsError } from './trained.errors.js';

/** Look-ups per second that one key may cause, and at once. */
const PER_SECOND = 20;
/** Longer than any evaluation over all checkpoints of a model should have to queue. */
const MAX_WAIT_MS = 5_000;

/**
 * Rate limit on the look-ups that a key causes. An evaluation of a hundred checkpoints waits a moment for the last ones;
 * a caller who guesses names is held to this rate, and then refused.
 */
export class LookupLimiter {
  private readonly buckets = new TokenBuckets(PER_SECOND, PER_SECOND);

  constructor(private readonly clock: Clock) {}

  /** Resolves when the look-up may begin. @throws GatewayError 429 too many look-ups of this key wait already */
  async take(keyId: string): Promise<void> {
    const { waitMs, excessMs } = this.buckets.reserve(keyId, MAX_WAIT_MS, this.clock.now());
    if (excessMs > 0) throw new TooManyLookupsError(excessMs);
    if (waitMs > 0) await new Promise<void>((resolve) => this.clock.after(waitMs, resolve));
  }
}
