import { type BlockMatrix, zeroCode } from '../../blocks/index.js';

/** A number of a block is `(code - zero) * scale + rest`. */
export interface ZeroCodes {
  /** Of the blocks, row by row; of 4 bits the first of two is in the lower half of the byte, and a row ends with a whole byte. */
  readonly codes: Uint8Array;
  /** `[rows, columns / blockSize]`; at most half a scale, where 0 lies within the range of the codes. */
  readonly rests: Float32Array;
}

/**
 * The codes that stand for zero, or for what is nearest to it, in the blocks of a matrix with offsets: the numbers that
 * are multiplied with it are rounded, and an error of theirs then counts by the weight that it meets, not by the
 * distance of the weight from the middle of the codes.
 *
 * @returns null: the matrix has no offsets
 */
export function toZeroCodes({ shape, bits, blockSize, scales, offsets }: BlockMatrix): ZeroCodes | null {
  if (offsets === null) return null;
  const [rows, columns] = shape;
  const blocks = columns / blockSize;
  const rowBytes = Math.ceil((blocks * bits) / 8);
  const middle = zeroCode(bits);
  const most = 2 ** bits - 1;
  const codes = new Uint8Array(rows * rowBytes);
  const rests = new Float32Array(rows * blocks);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let block = 0; block < blocks; block++, at++) {
      const scale = scales[at]!;
      const offset = offsets[at]!;
      const wanted = scale === 0 ? middle : middle + 0.5 - offset / scale;
      const zero = wanted < 0 ? 0 : wanted > most ? most : wanted | 0;
      rests[at] = offset + (zero - middle) * scale;
      const byte = row * rowBytes + ((block * bits) >> 3);
      codes[byte] = codes[byte]! | (zero << ((block * bits) & 7));
    }
  }
  return { codes, rests };
}
