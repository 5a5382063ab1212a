const MASK = (1n << 64n) - 1n;

/**
 * SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): small, seeded by any
 * 64-bit number and the same on every machine, which is what plans and generated data need. Not for secrets.
 */
export class SplitMix64 {
  private state: bigint;

  /** @param seed taken modulo 2^64; equal seeds give equal streams */
  constructor(seed: bigint | number) {
    this.state = BigInt(seed) & MASK;
  }

  /** The next 64 bits, 0 to 2^64 - 1. */
  next(): bigint {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }

  /** An integer from 0 to `count` - 1; the bias of the remainder is below count / 2^64. */
  below(count: number): number {
    return Number(this.next() % BigInt(count));
  }

  /** A copy in random order (Fisher-Yates, from the end). */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  }
}
