import { DenseSet, type DenseSetEntry } from '../collections/dense-set.js';

/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

const TICK_MS = 50;

/**
 * Timers that nearly always are called off, several for every request: to set one is to put it on a list, which is
 * looked through from time to time. They are up to {@link TICK_MS} late, and never early.
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
  private readonly place: DenseSetEntry<CoarseTimer>;

  constructor(
    private readonly set: DenseSet<CoarseTimer>,
    private readonly dueMs: number,
    private readonly run: () => void,
  ) {
    this.place = set.add(this);
  }

  cancel(): void {
    this.set.delete(this.place);
  }

  runIfDue(nowMs: number): void {
    if (nowMs >= this.dueMs && this.set.delete(this.place)) this.run();
  }
}
