import { SlidingCounts } from './sliding-counts.js';

const SECONDS = 30;
const ALL = 0;
const FAILURES = 1;

/** Counts outcomes of the last thirty seconds, in steps of one. */
export class OutcomeWindow {
  private readonly counts = new SlidingCounts(SECONDS, 1_000, 2);

  add(isFailure: boolean, nowMs: number): void {
    this.counts.add(ALL, nowMs);
    if (isFailure) this.counts.add(FAILURES, nowMs);
  }

  /** At least `min` outcomes, and half of them failures. */
  isBad(min: number, nowMs: number): boolean {
    const total = this.counts.sum(ALL, nowMs);
    return total >= min && this.counts.sum(FAILURES, nowMs) >= total / 2;
  }

  clear(): void {
    this.counts.clear();
  }
}
