/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

import { DenseSet, type DenseSetEntry } from '../collections/dense-set.js';
const TICK_MS = 50;

/**
 * Timers that are nearly always cancelled, several per request: all share one interval, which checks a list. They fire
 * up to {@link TICK_MS} late, and never early.
 */
export class CoarseTimers {
  private readonly set = new DenseSet<CoarseTimer>();
  private ticking: NodeJS.Timeout | null = null;

  after(ms: number, run: () => void): Timer {
    const timer = new CoarseTimer(this.set, performance.now() + ms, run);
    this.ticking ??= setInterval(() => this.tick(), TICK_MS);
    return timer;
  }

  private tick(): void {
    const nowMs = performance.now();
    for (const timer of this.set.members()) timer.runIfDue(nowMs);
    if (this.set.size > 0 || this.ticking === null) return;
    clearInterval(this.ticking);
    this.ticking = null;
  }
}

class CoarseTimer implements Timer {
  private readonly entry: DenseSetEntry<CoarseTimer>;

  constructor(
    private readonly set: DenseSet<CoarseTimer>,
    private readonly dueMs: number,
    private readonly run: () => void,
  ) {
    this.entry = set.add(this);
  }

  cancel(): void {
    this.set.delete(this.entry);
  }

  runIfDue(nowMs: number): void {
    if (nowMs >= this.dueMs && this.set.delete(this.entry)) this.run();
  }
}
