import type { Clock } from '../shared/time/clock.js';

/** Measures the gaps between the chunks of one attempt's answer; a chunk costs one addition. */
export class ChunkPace {
  private chunks = 0;
  private firstMs = 0;

  constructor(private readonly clock: Clock) {}

  /** A chunk with a part of the answer has come. */
  count(): void {
    if (this.chunks++ === 0) this.firstMs = this.clock.now();
  }

  /** When the first chunk came, by the clock; null: none has. */
  get firstAtMs(): number | null {
    return this.chunks === 0 ? null : this.firstMs;
  }

  /** Mean gap up to now, which counts as the last chunk; null: there were fewer than two before it. */
  get gapMs(): number | null {
    return this.chunks < 2 ? null : (this.clock.now() - this.firstMs) / this.chunks;
  }
}
