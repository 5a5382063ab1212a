import type { Clock } from '../upstreams/clock.js';

/** How far apart the chunks of one attempt's answer are; each costs no more than a number. */
export class ChunkPace {
  private chunks = 0;
  private firstMs = 0;

  constructor(private readonly clock: Clock) {}

  /** A chunk with a part of the answer has come. */
  count(): void {
    if (this.chunks++ === 0) this.firstMs = this.clock.now();
  }

  /** Mean, once the attempt has ended, which counts as its last chunk; null: there were not two before it. */
  get gapMs(): number | null {
    return this.chunks < 2 ? null : (this.clock.now() - this.firstMs) / this.chunks;
  }
}
