/**
 * Philox4x32-10: random numbers as a pure function of a key and a counter, so that token `n` of a choice is drawn
 * the same whatever else is drawn before or beside it.
 * Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
 *
 * @param counter four 32-bit words
 * @param key two 32-bit words
 * @returns four 32-bit words
 */
export function philox(counter: readonly number[], key: readonly number[]): [number, number, number, number] {
  let [c0, c1, c2, c3] = counter.map((word) => word >>> 0) as [number, number, number, number];
  let [k0, k1] = key as [number, number];
  for (let round = 0; round < 10; round += 1) {
    const high0 = multiplyHigh(c0, 0xd2511f53);
    const high1 = multiplyHigh(c2, 0xcd9e8d57);
    const low0 = Math.imul(c0, 0xd2511f53);
    const low1 = Math.imul(c2, 0xcd9e8d57);
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1 >>> 0, (high0 ^ c3 ^ k1) >>> 0, low0 >>> 0];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** The upper 32 bits of a product of two unsigned 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const cross = aHigh * bLow + ((aLow * bLow) >>> 16);
  const middle = aLow * bHigh + (cross & 0xffff);
  return (aHigh * bHigh + Math.floor(cross / 0x10000) + Math.floor(middle / 0x10000)) >>> 0;
}

/**
 * The random number of one token, 0 (included) to 1 (excluded), of 53 bits.
 *
 * @param seed taken modulo 2^64
 * @param index how many tokens the choice has before it
 */
export function uniformAt(seed: bigint, index: number): number {
  const low = Number(BigInt.asUintN(32, seed));
  const high = Number(BigInt.asUintN(32, seed >> 32n));
  const [first, second] = philox([index >>> 0, Math.floor(index / 2 ** 32), 0, 0], [low, high]);
  return ((first >>> 5) * 2 ** 26 + (second >>> 6)) / 2 ** 53;
}
