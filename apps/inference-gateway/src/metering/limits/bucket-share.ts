import type { BucketGrant, BucketMove } from './grants.js';

const MINUTE_MS = 60_000;
/** A grant call asks for this part of a limit beyond its need, so that few requests wait for one. */
const SPARE = 1 / 50;

/** The part of a token bucket that this process was granted. */
export class BucketShare {
  #limit: number | null = null;
  #balance = 0;
  /** Least balance of this window: nobody needed it. */
  #unused = 0;
  #level = 0;
  #levelMs = 0;

  /** Capacity, and flow per minute; null: no limit. */
  get limit(): number | null {
    return this.#limit;
  }

  set limit(limit: number | null) {
    this.#limit = limit;
    this.#balance = limit === null ? 0 : Math.min(this.#balance, limit);
    this.#unused = Math.min(this.#unused, this.#balance);
  }

  /** What a request that asks for `amount` takes: a bucket can never give more than its capacity. */
  amountOf(amount: number): number {
    return this.limit === null ? 0 : Math.min(amount, this.limit);
  }

  covers(amount: number): boolean {
    return this.limit === null || (this.limit > 0 && this.amountOf(amount) <= this.#balance);
  }

  /** Negative amounts are given back. The balance may become negative: a debt. */
  take(amount: number): void {
    if (this.limit === null) return;
    this.#balance -= amount;
    this.#unused = Math.min(this.#unused, this.#balance);
  }

  /** @param amount sum of what waiting requests take */
  topUp(amount: number): BucketMove {
    if (this.limit === null || amount <= this.#balance) return { want: 0, back: 0 };
    return { want: Math.ceil(amount - this.#balance + Math.floor(this.limit * SPARE)), back: 0 };
  }

  /** What leaves this process: what nobody needed for a whole window, or a debt. */
  giveBack(isWindowOver: boolean): BucketMove {
    if (this.limit === null) return { want: 0, back: 0 };
    const back = this.#balance < 0 ? this.#balance : isWindowOver ? Math.max(0, this.#unused) : 0;
    this.#balance -= back;
    if (isWindowOver || back < 0) this.#unused = this.#balance;
    return { want: 0, back };
  }

  receive({ granted, level }: BucketGrant, limit: number | null, nowMs: number): void {
    this.limit = limit;
    if (limit !== null) this.#balance += granted;
    this.#level = level;
    this.#levelMs = nowMs;
  }

  /** An exchange failed: what it was to give back is still here. */
  restore({ back }: BucketMove): void {
    this.#balance += back;
  }

  /** As far as this process knows; others may take it first. */
  remaining(nowMs: number): number {
    const limit = this.limit ?? 0;
    const refill = ((nowMs - this.#levelMs) / MINUTE_MS) * limit;
    return Math.min(limit, this.#balance + Math.min(limit, this.#level + refill));
  }

  /** Until `amount` could be there, if nobody else takes any. */
  waitMs(amount: number, nowMs: number): number {
    if (!this.limit) return MINUTE_MS;
    return Math.max(0, ((this.amountOf(amount) - this.remaining(nowMs)) / this.limit) * MINUTE_MS);
  }

  get isIdle(): boolean {
    return this.#balance === 0;
  }
}
