import type { Clock } from '../upstreams/clock.js';
import { tooManyLookups } from './trained.errors.js';
import { RecentMap } from './recent-map.js';

/** Lookups per second that one key may cause; as many at once. */
const PER_SECOND = 20;
const INTERVAL_MS = 1_000 / PER_SECOND;
/** Longer than any sweep over all checkpoints of a model should have to queue. */
const MAX_WAIT_MS = 5_000;
const MAX_KEYS = 10_000;

/**
 * Spreads the lookups that a key causes. Who evaluates a hundred checkpoints waits a moment for the last ones; who
 * tries names is held to this pace and then refused.
 */
export class LookupPace {
  /** Key -> when its bucket is full again. */
  private readonly fullAt = new RecentMap<string, number>(MAX_KEYS);

  constructor(private readonly clock: Clock) {}

  /** Resolves when the lookup may go on. @throws GatewayError 429 too many of this key wait already */
  async take(keyId: string): Promise<void> {
    const now = this.clock.now();
    const fullAt = Math.max(this.fullAt.get(keyId) ?? 0, now) + INTERVAL_MS;
    const waitMs = fullAt - now - PER_SECOND * INTERVAL_MS;
    if (waitMs > MAX_WAIT_MS) throw tooManyLookups(waitMs - MAX_WAIT_MS);
    this.fullAt.set(keyId, fullAt);
    if (waitMs > 0) await new Promise<void>((resolve) => this.clock.after(waitMs, resolve));
  }
}
