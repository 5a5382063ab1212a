import type { QuotaMove } from './grants.js';

/** The part of a fixed amount (slots, or a month's budget) that this process holds. */
export class QuotaShare {
  /** Null: no limit. */
  limit: number | null = null;
  #held = 0;
  #inUse = 0;
  /** Most that was in use in this window: the rest nobody needed. */
  #mostUsed = 0;

  /** @param spare part of the limit that a grant call asks for beyond its need, at most as much as the need itself */
  constructor(private readonly spare: number) {}

  /** What could be taken now. */
  get free(): number {
    return this.limit === null ? Infinity : Math.max(0, this.#held - this.#inUse);
  }

  /** Negative amounts are given back; what is in use is counted without a limit too, for the day there is one. */
  take(amount: number): void {
    this.#inUse = Math.max(0, this.#inUse + amount);
    this.#mostUsed = Math.max(this.#mostUsed, this.#inUse);
  }

  /** What was in use is used up, and counted where all processes see it. */
  spend(amount: number): void {
    this.#inUse = Math.max(0, this.#inUse - amount);
    this.#mostUsed = Math.max(0, this.#mostUsed - amount);
    this.#held = Math.max(0, this.#held - amount);
  }

  topUp(amount: number): QuotaMove {
    if (this.limit === null) return { hold: 0, inUse: 0 };
    const spare = Math.min(Math.floor(this.limit * this.spare), amount);
    return { hold: Math.max(this.#held, this.#inUse + amount + spare), inUse: this.#inUse };
  }

  /** A sign of life, with which what nobody needed for a whole window leaves this process. */
  giveBack(isWindowOver: boolean): QuotaMove {
    if (this.limit === null) return { hold: 0, inUse: 0 };
    if (isWindowOver) {
      // At once, and not with the answer: until then nobody may take what is on its way.
      this.#held = Math.min(this.#held, this.#mostUsed);
      this.#mostUsed = this.#inUse;
    }
    return { hold: this.#held, inUse: this.#inUse };
  }

  receive(held: number, limit: number | null): void {
    this.limit = limit;
    this.#held = limit === null ? 0 : held;
  }

  get isHeld(): boolean {
    return this.#held > 0;
  }

  get isIdle(): boolean {
    return this.#held === 0 && this.#inUse === 0;
  }
}
