import { type BlockMatrix, dequantiseRow, type StoredTensor } from '../blocks/index.js';
import { areFinite } from '../finite.js';
import { widenFloats } from '../float-formats.js';
import type { GgufTensorInfo } from './tensor-infos.js';
import type { TensorType } from './tensor-types.js';

/** Memory for the numbers of a tensor. */
export type TensorParts = Float32Array | Pick<BlockMatrix, 'codes' | 'scales' | 'offsets'>;

/** Memory for all numbers of a tensor, or for those of one of its rows. */
export function emptyTensor({ type, shape }: Pick<GgufTensorInfo, 'type' | 'shape'>): TensorParts {
  const numbers = shape.reduce((product, size) => product * size, 1);
  if (type.blocks === null) return new Float32Array(numbers);
  const { bits, blockSize, hasOffsets } = type.blocks;
  return {
    codes: new Uint8Array((numbers * bits) / 8),
    scales: new Float32Array(numbers / blockSize),
    offsets: hasOffsets ? new Float32Array(numbers / blockSize) : null,
  };
}

/** Unpacks bytes of the file, whole packs, from number `at` of the tensor on. */
export function fillTensor(type: TensorType, bytes: Buffer, parts: TensorParts, at: number): void {
  if (!(parts instanceof Float32Array)) {
    const { unpack, packBytes, packNumbers } = type.blocks!;
    const source = viewOf(bytes);
    const target = { ...parts, codes: viewOf(parts.codes) };
    for (let from = 0; from < bytes.length; from += packBytes, at += packNumbers) unpack(source, from, target, at);
    return;
  }
  const numbers = bytes.length / type.packBytes;
  const target = parts.subarray(at, at + numbers);
  // A copy begins at a multiple of four bytes, wherever the buffer does.
  const { buffer } = new Uint8Array(bytes);
  if (type.floats === 'F32') target.set(new Float32Array(buffer));
  else widenFloats(new Uint16Array(buffer), type.floats!, target);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Null: a number is not finite. */
export function toStoredTensor({ type, shape }: GgufTensorInfo, parts: TensorParts): StoredTensor | null {
  if (parts instanceof Float32Array) return areFinite(parts) ? { shape, data: parts } : null;
  const { bits, blockSize } = type.blocks!;
  const finite = areFinite(parts.scales) && (parts.offsets === null || areFinite(parts.offsets));
  return finite ? { shape: shape as [number, number], bits, blockSize, ...parts } : null;
}

/** Unpacks one row of the file into `target`, `[columns]`, by way of `parts`, memory for one row. */
export function widenRow(type: TensorType, bytes: Buffer, parts: TensorParts, target: Float32Array): void {
  fillTensor(type, bytes, parts, 0);
  if (parts instanceof Float32Array) target.set(parts);
  else {
    const { bits, blockSize } = type.blocks!;
    dequantiseRow({ shape: [1, target.length], bits, blockSize, ...parts }, 0, target);
  }
}
