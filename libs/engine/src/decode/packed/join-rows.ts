import { type BlockMatrix, isBlockMatrix, type StoredTensor } from '../../blocks/index.js';
import type { FloatTensor } from '../../tensor.js';

/**
 * Matrices of one width below each other, as one where all have the same form: one large product is faster than several
 * small ones. Files mix forms: then they stay apart.
 */
export function joinRows(matrices: readonly StoredTensor[]): readonly StoredTensor[] {
  if (matrices.length === 1) return matrices;
  if (matrices.every(isBlockMatrix)) return haveOneForm(matrices) ? [joinBlocks(matrices)] : matrices;
  const floats = matrices.filter((matrix): matrix is FloatTensor => !isBlockMatrix(matrix));
  return floats.length === matrices.length ? [joinFloats(floats)] : matrices;
}

function haveOneForm([first, ...others]: readonly BlockMatrix[]): boolean {
  return others.every(
    ({ bits, blockSize, offsets }) =>
      bits === first?.bits && blockSize === first.blockSize && (offsets === null) === (first.offsets === null),
  );
}

function joinBlocks(matrices: readonly BlockMatrix[]): BlockMatrix {
  const [{ shape, bits, blockSize, offsets }] = matrices as readonly [BlockMatrix];
  return {
    shape: [sum(matrices.map((matrix) => matrix.shape[0])), shape[1]],
    bits,
    blockSize,
    codes: Buffer.concat(matrices.map(({ codes }) => codes)),
    scales: joinNumbers(matrices.map((matrix) => matrix.scales)),
    offsets: offsets === null ? null : joinNumbers(matrices.map((matrix) => matrix.offsets as Float32Array)),
  };
}

function joinFloats(matrices: readonly FloatTensor[]): FloatTensor {
  const rows = sum(matrices.map(({ shape }) => shape[0] as number));
  return { shape: [rows, matrices[0]?.shape[1] as number], data: joinNumbers(matrices.map(({ data }) => data)) };
}

function joinNumbers(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
