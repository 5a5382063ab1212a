/** Counters over the last `slots` × `slotMs` milliseconds, in steps of `slotMs`. Adding costs no allocation. */
export class SlidingCounts {
  private readonly counts: Uint32Array;
  private period = 0;

  /** @param width counters that are kept of each step */
  constructor(
    private readonly slots: number,
    private readonly slotMs: number,
    private readonly width: number,
  ) {
    this.counts = new Uint32Array(slots * width);
  }

  /** @param counter 0 to `width` - 1 */
  add(counter: number, nowMs: number): void {
    this.moveTo(nowMs);
    const at = (this.period % this.slots) * this.width + counter;
    this.counts[at] = (this.counts[at] as number) + 1;
  }

  /** The sum of one counter. */
  sum(counter: number, nowMs: number): number {
    this.moveTo(nowMs);
    let sum = 0;
    for (let at = counter; at < this.counts.length; at += this.width) sum += this.counts[at] as number;
    return sum;
  }

  clear(): void {
    this.counts.fill(0);
  }

  private moveTo(nowMs: number): void {
    const period = Math.floor(nowMs / this.slotMs);
    const gone = Math.min(period - this.period, this.slots);
    for (let step = 1; step <= gone; step++) {
      const slot = (period - gone + step) % this.slots;
      this.counts.fill(0, slot * this.width, (slot + 1) * this.width);
    }
    this.period = period;
  }
}
