/** Someone who waits for a place at one of several targets. */
export interface Waiter {
  /** Lower goes first. */
  readonly priority: number;
  /** Order of arrival. */
  readonly ticket: number;
  /** Goes in if it can, or gives up if it must. @returns whether it took a place; false: the next one may try */
  tryEnter(): boolean;
}

/** Who waits for a place at one target: by priority, then by arrival. */
export class WaitingLine {
  private readonly waiters: Waiter[] = [];

  join(waiter: Waiter): void {
    const isAfter = (other: Waiter) =>
      other.priority > waiter.priority || (other.priority === waiter.priority && other.ticket > waiter.ticket);
    const at = this.waiters.findIndex(isAfter);
    this.waiters.splice(at < 0 ? this.waiters.length : at, 0, waiter);
  }

  leave(waiter: Waiter): void {
    const at = this.waiters.indexOf(waiter);
    if (at >= 0) this.waiters.splice(at, 1);
  }

  /** Lets those in front try, until one takes a place. */
  advance(): void {
    if (this.waiters.length === 0) return;
    for (const waiter of [...this.waiters]) if (waiter.tryEnter()) return;
  }
}
