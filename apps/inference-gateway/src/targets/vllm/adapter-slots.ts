import type { Clock } from '../../shared/time/clock.js';

/** What holds slots. */
export interface SlotHolder {
  /** Frees a slot at once, of something idle. Null: nothing is idle. */
  evict(): Promise<void> | null;
  /** Nothing was idle for a while: makes something idle soon, so that those who wait get their turn. */
  drain(): void;
  hasFree(): boolean;
}

/** Requests that wait let adapters in use go on for this long before one of them is drained. */
const PATIENCE_MS = 2_000;

/** The queue for slots: first come, first served. */
export class AdapterSlots {
  private last: Promise<unknown> = Promise.resolve();
  private wake: () => void = () => undefined;

  constructor(
    private readonly holder: SlotHolder,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits for a slot.
   *
   * @param take takes the slot, at once
   * @returns false: there was none within `waitMs`, and none was taken
   */
  acquire(waitMs: number, take: () => void): Promise<boolean> {
    const untilMs = this.clock.now() + waitMs;
    const turn = this.last.then(() => this.acquireNext(untilMs, take));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Something became idle, or a slot free. */
  advance(): void {
    this.wake();
  }

  private async acquireNext(untilMs: number, take: () => void): Promise<boolean> {
    for (;;) {
      if (this.holder.hasFree()) {
        take();
        return true;
      }
      if (this.clock.now() >= untilMs) return false;
      const eviction = this.holder.evict();
      if (eviction !== null) await eviction;
      else await this.nextChange(untilMs);
    }
  }

  private nextChange(untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        for (const timer of timers) timer.cancel();
        this.wake = () => undefined;
        resolve();
      };
      const timers = [
        this.clock.after(Math.max(0, untilMs - this.clock.now()), end),
        this.clock.after(PATIENCE_MS, () => this.holder.drain()),
      ];
      this.wake = end;
    });
  }
}
