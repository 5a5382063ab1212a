import type { Clock } from '../../../shared/time/clock.js';
import type { TargetFailure } from '../../target-failure.js';

/** A longer `Retry-After` of a key is not believed. */
const RETRY_AFTER_MAX_MS = 60_000;

/** A key of an upstream. */
export interface UpstreamKey {
  /** Environment variable that holds it, for the log. */
  readonly name: string;
  readonly value: string;
}

/** For how long a key is set aside, in milliseconds. */
export interface KeyPauses {
  /** After a refusal, or once its quota is spent. */
  readonly outMs: number;
  /** After a 429 without `Retry-After`. */
  readonly coolingMs: number;
}

/** A key, and until when it is set aside. */
class PooledKey {
  untilMs = 0;
  /** Why it was set aside; null: it was not. */
  failure: TargetFailure | null = null;

  constructor(readonly key: UpstreamKey) {}
}

/** The keys of one upstream, used in turn. One that is refused or rate limited is set aside for a while. */
export class KeyPool {
  private readonly pooled: readonly PooledKey[];
  private turn = 0;

  constructor(
    keys: readonly UpstreamKey[],
    private readonly pauses: KeyPauses,
    private readonly clock: Clock,
  ) {
    this.pooled = keys.map((key) => new PooledKey(key));
  }

  get size(): number {
    return this.pooled.length;
  }

  /** The next in turn; if all are set aside, the one that comes back first. Null: there is none. */
  take(): UpstreamKey | null {
    return this.takeFree([]) ?? this.soonest?.key ?? null;
  }

  /** The next in turn that is neither set aside nor among `tried`; null: none. */
  takeFree(tried: readonly UpstreamKey[]): UpstreamKey | null {
    const nowMs = this.clock.now();
    for (let at = 0; at < this.size; at++) {
      const { key, untilMs } = this.pooled[(this.turn + at) % this.size] as PooledKey;
      if (untilMs > nowMs || tried.includes(key)) continue;
      this.turn = (this.turn + at + 1) % this.size;
      return key;
    }
    return null;
  }

  /** Sets a key aside, if the failure is its own rather than the upstream's. @returns whether it is */
  setAside(key: UpstreamKey, failure: TargetFailure): boolean {
    const ms = this.pauseAfter(failure);
    const pooled = this.pooled.find((one) => one.key === key);
    if (ms === null || pooled === undefined) return false;
    pooled.untilMs = this.clock.now() + ms;
    pooled.failure = failure;
    return true;
  }

  /** What a failure of the last key means for the upstream: a wait, where a key comes back before the failed one. */
  verdict(failure: TargetFailure): TargetFailure {
    const { soonest } = this;
    if (soonest?.failure?.reason !== 'rate_limited') return failure;
    return { ...soonest.failure, retryAfterMs: Math.max(0, soonest.untilMs - this.clock.now()) };
  }

  /** All keys count as good again. */
  readmit(): void {
    for (const pooled of this.pooled) pooled.untilMs = 0;
  }

  private get soonest(): PooledKey | undefined {
    return [...this.pooled].sort((left, right) => left.untilMs - right.untilMs)[0];
  }

  /** Null: the failure says nothing about the key. */
  private pauseAfter({ reason, upstreamStatus, retryAfterMs }: TargetFailure): number | null {
    const { outMs, coolingMs } = this.pauses;
    if (reason === 'rate_limited') return Math.min(retryAfterMs ?? coolingMs, RETRY_AFTER_MAX_MS);
    return reason === 'no_quota' || (reason === 'unauthorized' && upstreamStatus === 401) ? outMs : null;
  }
}
