import { createHash } from 'node:crypto';

import { SplitMix64 } from '../plan/split-mix64.js';

/** The draws that generated examples need, from one 64-bit seed. */
export class Random {
  private readonly bits: SplitMix64;

  constructor(seed: bigint | number) {
    this.bits = new SplitMix64(seed);
  }

  /** A stream of its own for `purpose`: unrelated to the streams of other purposes of the same seed. */
  static of(seed: number, purpose: string): Random {
    return new Random(createHash('sha256').update(`${seed}/${purpose}`).digest().readBigUInt64LE());
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.bits.below(high - low + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.bits.below(items.length)] as T;
  }

  /** True once in `count` draws on average. */
  oneIn(count: number): boolean {
    return this.bits.below(count) === 0;
  }

  /** `count` different items in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.bits.shuffle(items).slice(0, count);
  }

  list<T>(count: number, draw: () => T): T[] {
    return Array.from({ length: count }, draw);
  }

  /** An index of `weights`, drawn in proportion to them; a weight below 1e-9 of their sum may never be drawn. */
  weighted(weights: readonly number[]): number {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let left = (this.bits.below(2 ** 31) / 2 ** 31) * total;
    const found = weights.findIndex((weight) => (left -= weight) < 0);
    return found < 0 ? weights.length - 1 : found;
  }
}
