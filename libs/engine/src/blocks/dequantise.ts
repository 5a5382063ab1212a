import type { FloatTensor } from '../tensor.js';
import { type BlockMatrix, isBlockMatrix, type StoredTensor, zeroCode } from './block-matrix.js';

/** Converts a matrix to float32. */
export function dequantise(matrix: BlockMatrix): FloatTensor {
  const [rows, columns] = matrix.shape;
  const data = new Float32Array(rows * columns);
  dequantiseRows(matrix, 0, data);
  return { shape: matrix.shape, data };
}

/** Writes one row of the matrix into `target`, `[columns]`. */
export function dequantiseRow(matrix: BlockMatrix, row: number, target: Float32Array): void {
  dequantiseRows(matrix, row, target.subarray(0, matrix.shape[1]));
}

/** Writes as many rows, from `firstRow` on, as `target` holds: `[rows, columns]`. */
export function dequantiseRows(matrix: BlockMatrix, firstRow: number, target: Float32Array): void {
  const firstBlock = (firstRow * matrix.shape[1]) / matrix.blockSize;
  if (matrix.bits === 8) dequantiseBytes(matrix, firstBlock, target);
  else dequantisePairs(matrix, firstBlock, target);
}

// Codes are taken out of words of 32 bits, without a choice or a loop per number: a third to a half of the time that a
// read of each byte takes.
function dequantiseBytes(
  { blockSize, codes, scales, offsets }: BlockMatrix,
  first: number,
  target: Float32Array,
): void {
  const zero = zeroCode(8);
  const words = wordsOf(codes);
  for (let block = first, at = 0, word = (first * blockSize) / 4; at < target.length; block++) {
    const scale = scales[block]!;
    const offset = offsets === null ? 0 : offsets[block]!;
    for (const end = at + blockSize; at < end; at += 4, word++) {
      const bytes = words[word]!;
      target[at] = ((bytes & 255) - zero) * scale + offset;
      target[at + 1] = (((bytes >>> 8) & 255) - zero) * scale + offset;
      target[at + 2] = (((bytes >>> 16) & 255) - zero) * scale + offset;
      target[at + 3] = ((bytes >>> 24) - zero) * scale + offset;
    }
  }
}

function dequantisePairs(
  { blockSize, codes, scales, offsets }: BlockMatrix,
  first: number,
  target: Float32Array,
): void {
  const zero = zeroCode(4);
  const words = wordsOf(codes);
  for (let block = first, at = 0, word = (first * blockSize) / 8; at < target.length; block++) {
    const scale = scales[block]!;
    const offset = offsets === null ? 0 : offsets[block]!;
    for (const end = at + blockSize; at < end; at += 8, word++) {
      const pairs = words[word]!;
      target[at] = ((pairs & 15) - zero) * scale + offset;
      target[at + 1] = (((pairs >>> 4) & 15) - zero) * scale + offset;
      target[at + 2] = (((pairs >>> 8) & 15) - zero) * scale + offset;
      target[at + 3] = (((pairs >>> 12) & 15) - zero) * scale + offset;
      target[at + 4] = (((pairs >>> 16) & 15) - zero) * scale + offset;
      target[at + 5] = (((pairs >>> 20) & 15) - zero) * scale + offset;
      target[at + 6] = (((pairs >>> 24) & 15) - zero) * scale + offset;
      target[at + 7] = ((pairs >>> 28) - zero) * scale + offset;
    }
  }
}

/** A block has whole words. Signed, as V8 reads them fastest. */
function wordsOf(codes: Uint8Array): Int32Array {
  const { buffer, byteOffset, byteLength } = codes.byteOffset % 4 === 0 ? codes : codes.slice();
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

/** A weight as float32, whatever its form; one that is float32 already is returned as it is. */
export function toFloats(tensor: StoredTensor): FloatTensor {
  return isBlockMatrix(tensor) ? dequantise(tensor) : tensor;
}
