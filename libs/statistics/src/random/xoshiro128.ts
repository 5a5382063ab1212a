const WORD = 2 ** 32;

/**
 * xoshiro128**, a generator of 32-bit words: D. Blackman and S. Vigna, Scrambled Linear Pseudorandom Number Generators,
 * ACM Transactions on Mathematical Software 47 (2021) 36. The same seed gives the same words everywhere.
 */
export class Xoshiro128 {
  private readonly state = new Int32Array(4);

  /**
   * @param seed a finite number, of which the low 32 bits count; SplitMix32 spreads them over the state
   * @throws RangeError the seed is no finite number
   */
  constructor(seed: number) {
    if (!Number.isFinite(seed)) throw new RangeError(`seed must be a finite number, got ${seed}`);
    let word = seed | 0;
    for (let at = 0; at < this.state.length; at++) {
      word = (word + 0x9e3779b9) | 0;
      let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
      this.state[at] = mixed ^ (mixed >>> 16);
    }
  }

  /** @returns an integer, 0 to 2^32 − 1 */
  word(): number {
    // By index: to destructure takes several times as long, and bootstraps draw hundreds of millions.
    const { state } = this;
    const a = state[0] as number;
    const b = state[1] as number;
    const third = (state[2] as number) ^ a;
    const fourth = (state[3] as number) ^ b;
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9);
    state[1] = b ^ third;
    state[0] = a ^ fourth;
    state[2] = third ^ (b << 9);
    state[3] = rotate(fourth, 11);
    return scrambled >>> 0;
  }

  /** @returns 0 to below 1, of 32 bits */
  fraction(): number {
    return this.word() / WORD;
  }

  /**
   * An index, each with the same chance.
   *
   * @param count integer 1 to 2^32
   * @returns an integer, 0 to below `count`
   */
  below(count: number): number {
    const limit = WORD - (WORD % count);
    for (;;) {
      const word = this.word();
      if (word < limit) return word % count;
    }
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
