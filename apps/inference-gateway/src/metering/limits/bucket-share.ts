import type { BucketGrant, BucketMove } from './grants.js';

const MINUTE_MS = 60_000;
/** An exchange requests this part of the limit beyond its need, so that few requests wait for one. */
const SPARE = 1 / 50;

/** The part of a token bucket (rate limit) that was granted to this process. */
export class BucketShare {
  private currentLimit: number | null = null;
  private balance = 0;
  /** Lowest balance of this window: tokens that no request needed. */
  private unused = 0;
  private level = 0;
  private levelMs = 0;

  /** Capacity, and refill per minute; null: no limit. */
  get limit(): number | null {
    return this.currentLimit;
  }

  set limit(limit: number | null) {
    this.currentLimit = limit;
    this.balance = limit === null ? 0 : Math.min(this.balance, limit);
    this.unused = Math.min(this.unused, this.balance);
  }

  /** The tokens that a request for `amount` takes: at most the capacity of the bucket. */
  amountOf(amount: number): number {
    return this.limit === null ? 0 : Math.min(amount, this.limit);
  }

  covers(amount: number): boolean {
    return this.limit === null || (this.limit > 0 && this.amountOf(amount) <= this.balance);
  }

  /** Takes tokens, or returns them when negative. The balance may become negative: a debt. */
  take(amount: number): void {
    if (this.limit === null) return;
    this.balance -= amount;
    this.unused = Math.min(this.unused, this.balance);
  }

  /** @param amount tokens that all waiting requests take */
  topUp(amount: number): BucketMove {
    if (this.limit === null || amount <= this.balance) return { want: 0, back: 0 };
    return { want: Math.ceil(amount - this.balance + Math.floor(this.limit * SPARE)), back: 0 };
  }

  /** Returns tokens that no request needed during a whole window, or passes on a debt. */
  giveBack(isWindowOver: boolean): BucketMove {
    if (this.limit === null) return { want: 0, back: 0 };
    const back = this.balance < 0 ? this.balance : isWindowOver ? Math.max(0, this.unused) : 0;
    this.balance -= back;
    if (isWindowOver || back < 0) this.unused = this.balance;
    return { want: 0, back };
  }

  receive({ granted, level }: BucketGrant, limit: number | null, nowMs: number): void {
    this.limit = limit;
    if (limit !== null) this.balance += granted;
    this.level = level;
    this.levelMs = nowMs;
  }

  /** The exchange failed: the tokens that it should return stay here. */
  restore({ back }: BucketMove): void {
    this.balance += back;
  }

  /** Estimate: other processes may take the tokens first. */
  remaining(nowMs: number): number {
    const limit = this.limit ?? 0;
    const refill = ((nowMs - this.levelMs) / MINUTE_MS) * limit;
    return Math.min(limit, this.balance + Math.min(limit, this.level + refill));
  }

  /** Milliseconds until `amount` tokens are available, if no other process takes any. */
  waitMs(amount: number, nowMs: number): number {
    if (!this.limit) return MINUTE_MS;
    return Math.max(0, ((this.amountOf(amount) - this.remaining(nowMs)) / this.limit) * MINUTE_MS);
  }

  get isIdle(): boolean {
    return this.balance === 0;
  }
}
