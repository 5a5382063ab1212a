import type { FloatTensor } from '../tensor.js';

import { type BlockMatrix, isBlockMatrix, type StoredTensor, zeroCode } from './block-matrix.js';

/** The numbers that a matrix stands for, as float32. */
export function dequantise(matrix: BlockMatrix): FloatTensor {
  const [rows, columns] = matrix.shape;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) dequantiseRow(matrix, row, data.subarray(row * columns, (row + 1) * columns));
  return { shape: matrix.shape, data };
}

/** Writes one row of the matrix into `target`, `[columns]`. */
export function dequantiseRow(matrix: BlockMatrix, row: number, target: Float32Array): void {
  const { bits, blockSize, codes, scales, offsets } = matrix;
  const columns = matrix.shape[1];
  const zero = zeroCode(bits);
  const firstBlock = (row * columns) / blockSize;
  for (let column = 0; column < columns; column++) {
    const block = firstBlock + Math.floor(column / blockSize);
    const index = row * columns + column;
    const code = bits === 8 ? codes[index]! : (codes[index >> 1]! >> (4 * (index & 1))) & 15;
    target[column] = (code - zero) * scales[block]! + (offsets?.[block] ?? 0);
  }
}

/** A weight as float32, whatever its form; one that is float32 already is returned as it is. */
export function toFloats(tensor: StoredTensor): FloatTensor {
  return isBlockMatrix(tensor) ? dequantise(tensor) : tensor;
}
