import type { QuotaMove } from './grants.js';

/** The part of a quota (concurrency slots, or a budget) that this process holds. */
export class QuotaShare {
  /** Null: no limit. */
  limit: number | null = null;
  private held = 0;
  /** What the database knows this process to hold. */
  private leased = 0;
  private inUse = 0;
  /** Peak usage of this window; no request needed the rest. */
  private mostUsed = 0;

  /** @param spare part of the limit that an exchange requests beyond its need, at most as much as the need itself */
  constructor(private readonly spare: number) {}

  /** The amount that a request can take now. */
  get free(): number {
    return this.limit === null ? Infinity : Math.max(0, this.held - this.inUse);
  }

  /** Takes an amount, or returns it when negative. Usage is counted without a limit too: a limit may be set later. */
  take(amount: number): void {
    this.inUse = Math.max(0, this.inUse + amount);
    this.mostUsed = Math.max(this.mostUsed, this.inUse);
  }

  /** Moves an amount out of use: the database counts it as spent, for all processes. */
  spend(amount: number): void {
    this.inUse = Math.max(0, this.inUse - amount);
    this.mostUsed = Math.max(0, this.mostUsed - amount);
    this.held = Math.max(0, this.held - amount);
  }

  topUp(amount: number): QuotaMove {
    if (this.limit === null) return { hold: 0, inUse: 0 };
    const spare = Math.min(Math.floor(this.limit * this.spare), amount);
    return { hold: Math.max(this.held, this.inUse + amount + spare), inUse: this.inUse };
  }

  /** Renews the hold (heartbeat) and returns what no request needed during a whole window. */
  giveBack(isWindowOver: boolean): QuotaMove {
    if (this.limit === null) return { hold: 0, inUse: 0 };
    if (isWindowOver) {
      // Before the exchange, not after it: no request may take an amount that is being returned.
      this.held = Math.min(this.held, this.mostUsed);
      this.mostUsed = this.inUse;
    }
    return { hold: this.held, inUse: this.inUse };
  }

  receive(held: number, limit: number | null): void {
    this.limit = limit;
    this.held = limit === null ? 0 : held;
    this.leased = this.held;
  }

  /** Something is held, or was when the database was last told: other processes miss it until the next exchange. */
  get isHeld(): boolean {
    return this.held > 0 || this.leased > 0;
  }

  /** This process holds the amount, used or not. */
  protected holds(amount: number): boolean {
    return this.held >= amount;
  }

  get isIdle(): boolean {
    return this.held === 0 && this.inUse === 0;
  }
}
