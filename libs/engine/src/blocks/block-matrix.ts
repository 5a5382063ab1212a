import type { FloatTensor } from '../tensor.js';

/**
 * A matrix `[out, in]` whose rows are cut into blocks of numbers of few bits, as ONNX Runtime's `MatMulNBits` takes it.
 * A number is `(q - zero) * scale + offset` of its block, where zero is 8 of 4 bits and 128 of 8 bits. Every block
 * format of GGUF can be said so without rounding any code again.
 */
export interface BlockMatrix {
  readonly shape: readonly [rows: number, columns: number];
  readonly bits: 4 | 8;
  /** Number of elements of a block; `columns` is a multiple of it. */
  readonly blockSize: 16 | 32;
  /** `[rows, columns * bits / 8]`: codes q; of 4 bits the first of two is in the lower half of the byte. */
  readonly codes: Uint8Array;
  /** `[rows, columns / blockSize]`. */
  readonly scales: Float32Array;
  /** `[rows, columns / blockSize]`; null: all zero. */
  readonly offsets: Float32Array | null;
}

/** A weight as the model holds it. */
export type StoredTensor = FloatTensor | BlockMatrix;

/** Weights of a model as its files hold them, by their names in the Hugging Face layout. */
export type StoredWeights = ReadonlyMap<string, StoredTensor>;

export const isBlockMatrix = (tensor: StoredTensor): tensor is BlockMatrix => 'codes' in tensor;

/** Code of the number 0 in a block without offset. */
export const zeroCode = (bits: 4 | 8): number => (bits === 4 ? 8 : 128);

/** Bytes that the parts of a matrix take together. */
export function bytesOf({ codes, scales, offsets }: BlockMatrix): number {
  return codes.byteLength + scales.byteLength + (offsets?.byteLength ?? 0);
}
