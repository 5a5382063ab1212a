/** A request that waits for a slot of one of several targets. */
export interface Waiter {
  /** Lower goes first. */
  readonly priority: number;
  /** Order of arrival: rises with each waiter. */
  readonly ticket: number;
  /** Takes a slot if one is free. @returns false: it took none, and the next waiter may try */
  tryAcquire(): boolean;
}

/**
 * Queue for the slots of one target: by priority, then by arrival. Our own, because a request waits in the queues of
 * several targets at once and leaves all of them when it gets one slot.
 */
export class SlotQueue {
  private readonly waiters: Waiter[] = [];

  get length(): number {
    return this.waiters.length;
  }

  join(waiter: Waiter): void {
    const isBehind = (other: Waiter) =>
      other.priority > waiter.priority || (other.priority === waiter.priority && other.ticket > waiter.ticket);
    const at = this.waiters.findIndex(isBehind);
    this.waiters.splice(at < 0 ? this.waiters.length : at, 0, waiter);
  }

  leave(waiter: Waiter): void {
    const at = this.waiters.indexOf(waiter);
    if (at >= 0) this.waiters.splice(at, 1);
  }

  /** A slot may be free: offers it in order until one waiter takes it. */
  advance(): void {
    if (this.waiters.length === 0) return;
    for (const waiter of [...this.waiters]) if (waiter.tryAcquire()) return;
  }
}
