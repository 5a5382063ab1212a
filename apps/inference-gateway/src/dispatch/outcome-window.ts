const SECONDS = 30;

/** Counts outcomes of the last thirty seconds, in steps of one. */
export class OutcomeWindow {
  private readonly failures = new Uint32Array(SECONDS);
  private readonly totals = new Uint32Array(SECONDS);
  private second = 0;

  add(isFailure: boolean, nowMs: number): void {
    this.moveTo(nowMs);
    const slot = this.second % SECONDS;
    this.totals[slot] = (this.totals[slot] as number) + 1;
    if (isFailure) this.failures[slot] = (this.failures[slot] as number) + 1;
  }

  /** At least `min` outcomes, and half of them failures. */
  isBad(min: number, nowMs: number): boolean {
    this.moveTo(nowMs);
    const total = sum(this.totals);
    return total >= min && sum(this.failures) >= total / 2;
  }

  clear(): void {
    this.failures.fill(0);
    this.totals.fill(0);
  }

  private moveTo(nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    const gone = Math.min(second - this.second, SECONDS);
    for (let step = 1; step <= gone; step++) {
      const slot = (second - gone + step) % SECONDS;
      this.failures[slot] = 0;
      this.totals[slot] = 0;
    }
    this.second = second;
  }
}

const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);
