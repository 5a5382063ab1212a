import type { FloatTensor } from '../tensor.js';
import type { BlockMatrix } from './block-matrix.js';

/**
 * Numbers of a block, by its bits. Products round what they multiply with to 8 bits in blocks of the same size. With 8
 * bits that is the larger error: in blocks of 16 the next-token distributions of SmolLM2-135M diverge from those of
 * float32 by 0.0041 nats, in blocks of 32 by 0.0063, which take a tenth less memory and are no faster.
 */
const BLOCK = { 4: 32, 8: 16 } as const;

/**
 * A matrix in blocks: of 8 bits by their largest magnitude, of 4 bits by their range. Each number is rounded to the
 * nearest code: it changes by half a scale at most.
 *
 * @param tensor one for which {@link canQuantise} holds
 */
export function quantise({ shape, data }: FloatTensor, bits: 4 | 8): BlockMatrix {
  const [rows = 0, columns = 0] = shape;
  const blockSize = BLOCK[bits];
  const blocks = data.length / blockSize;
  const codes = new Uint8Array((data.length * bits) / 8);
  const scales = new Float32Array(blocks);
  const offsets = bits === 4 ? new Float32Array(blocks) : null;
  for (let block = 0; block < blocks; block++) {
    const [start, end] = [block * blockSize, (block + 1) * blockSize];
    const numbers = data.subarray(start, end);
    if (offsets === null) scales[block] = encodeByMagnitude(numbers, codes.subarray(start, end));
    else [scales[block], offsets[block]] = encodeByRange(numbers, codes.subarray(start / 2, end / 2));
  }
  return { shape: [rows, columns], bits, blockSize, codes, scales, offsets };
}

/** Whether the columns of a tensor can be cut into blocks. */
export const canQuantise = ({ shape }: FloatTensor, bits: 4 | 8): boolean =>
  shape.length === 2 && (shape[1] ?? 0) % BLOCK[bits] === 0;

/** @returns the scale */
function encodeByMagnitude(numbers: Float32Array, codes: Uint8Array): number {
  const most = numbers.reduce((magnitude, number) => Math.max(magnitude, Math.abs(number)), 0);
  const scale = Math.fround(most / 127);
  for (let index = 0; index < numbers.length; index++) {
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
  for (let index = 0; index < numbers.length; index += 2) codes[index >> 1] = code(index) | (code(index + 1) << 4);
  return [scale, Math.fround(least + 8 * scale)];
}
