import type { FloatTensor } from '../tensor.js';

import type { BlockMatrix } from './block-matrix.js';

const BLOCK = 32;

/**
 * A matrix in blocks of 32 numbers: of 8 bits by their largest magnitude, of 4 bits by their range. Each number is
 * rounded to the nearest code: it changes by half a scale at most.
 *
 * @param tensor `[rows, columns]`, where columns is a multiple of 32
 */
export function quantise({ shape, data }: FloatTensor, bits: 4 | 8): BlockMatrix {
  const [rows = 0, columns = 0] = shape;
  const blocks = data.length / BLOCK;
  const codes = new Uint8Array((data.length * bits) / 8);
  const scales = new Float32Array(blocks);
  const offsets = bits === 4 ? new Float32Array(blocks) : null;
  for (let block = 0; block < blocks; block++) {
    const numbers = data.subarray(block * BLOCK, (block + 1) * BLOCK);
    if (offsets === null) scales[block] = encodeByMagnitude(numbers, codes.subarray(block * BLOCK));
    else [scales[block], offsets[block]] = encodeByRange(numbers, codes.subarray((block * BLOCK) / 2));
  }
  return { shape: [rows, columns], bits, blockSize: BLOCK, codes, scales, offsets };
}

/** Whether the columns of a tensor can be cut into blocks. */
export const canQuantise = ({ shape }: FloatTensor): boolean => shape.length === 2 && (shape[1] ?? 0) % BLOCK === 0;

/** @returns the scale */
function encodeByMagnitude(numbers: Float32Array, codes: Uint8Array): number {
  const most = numbers.reduce((magnitude, number) => Math.max(magnitude, Math.abs(number)), 0);
  const scale = Math.fround(most / 127);
  for (let index = 0; index < BLOCK; index++) {
    codes[index] = scale === 0 ? 128 : 128 + Math.round(numbers[index]! / scale);
  }
  return scale;
}

/** @returns scale, and offset for codes of which 8 means 0 */
function encodeByRange(numbers: Float32Array, codes: Uint8Array): [scale: number, offset: number] {
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  const scale = Math.fround((most - least) / 15);
  const code = (index: number) => (scale === 0 ? 0 : Math.min(15, Math.round((numbers[index]! - least) / scale)));
  for (let index = 0; index < BLOCK; index += 2) codes[index >> 1] = code(index) | (code(index + 1) << 4);
  return [scale, Math.fround(least + 8 * scale)];
}
