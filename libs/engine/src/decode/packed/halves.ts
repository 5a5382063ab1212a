import type { BlockMatrix } from '../../blocks/index.js';

/** Codes of 4 bits: a number is `(code - 8) * scale` of its block. */
export interface Half {
  /** `[rows, columns / 2]`. */
  readonly codes: Uint8Array;
  /** `[rows, columns / blockSize]`. */
  readonly scales: Float32Array;
}

/**
 * A matrix as sum of matrices of 4 bits and of an offset per block, for each of which the runtime has fast products whose
 * other operand is not rounded; of 8 bits it has none. A code of 8 bits is `16 high + low`, so that
 * `(code - 128) s = (high - 8) 16 s + (low - 8) s + 8 s`.
 */
export function toHalves({ bits, codes, scales, offsets }: BlockMatrix): {
  readonly halves: readonly Half[];
  /** `[rows, columns / blockSize]`; null: all zero. */
  readonly offsets: Float32Array | null;
} {
  if (bits === 4) return { halves: [{ codes, scales }], offsets };
  const high = new Uint8Array(codes.length / 2);
  const low = new Uint8Array(codes.length / 2);
  for (let pair = 0; pair < high.length; pair++) {
    const [first, second] = [codes[2 * pair]!, codes[2 * pair + 1]!];
    high[pair] = (first >> 4) | (second & 0xf0);
    low[pair] = (first & 15) | ((second & 15) << 4);
  }
  return {
    halves: [
      { codes: high, scales: scales.map((scale) => 16 * scale) },
      { codes: low, scales },
    ],
    offsets: scales.map((scale, block) => 8 * scale + (offsets?.[block] ?? 0)),
  };
}
