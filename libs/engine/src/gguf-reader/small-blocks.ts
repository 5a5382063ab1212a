import { widenHalf } from '../float-formats.js';

/** Parts of a matrix in blocks that are filled. */
export interface BlockParts {
  readonly codes: Uint8Array;
  readonly scales: Float32Array;
  readonly offsets: Float32Array | null;
}

/** A block format of the file, and the form of `BlockMatrix` that holds the same numbers. */
export interface BlockFormat {
  readonly bits: 4 | 8;
  readonly blockSize: 16 | 32;
  readonly hasOffsets: boolean;
  readonly packNumbers: number;
  readonly packBytes: number;
  /** Unpacks the pack that begins at byte `from`; its first number is number `at` of the target. */
  readonly unpack: (source: Uint8Array, from: number, target: BlockParts, at: number) => void;
}

/** Layouts: block_q4_0 and others of https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-common.h */
const small = (packBytes: number, bits: 4 | 8, hasOffsets: boolean, unpack: BlockFormat['unpack']): BlockFormat => {
  return { bits, blockSize: 32, hasOffsets, packNumbers: 32, packBytes, unpack };
};

/** `(q - 8) d` */
export const Q4_0 = small(18, 4, false, (source, from, { codes, scales }, at) => {
  scales[at / 32] = half(source, from);
  repackNibbles(source, from + 2, 16, codes, at / 2);
});

/** `q d + m` */
export const Q4_1 = small(20, 4, true, (source, from, { codes, scales, offsets }, at) => {
  const scale = half(source, from);
  scales[at / 32] = scale;
  offsets![at / 32] = half(source, from + 2) + 8 * scale;
  repackNibbles(source, from + 4, 16, codes, at / 2);
});

/** `(q - 16) d` */
export const Q5_0 = small(22, 8, false, (source, from, { codes, scales }, at) => {
  scales[at / 32] = half(source, from);
  fiveBits(source, from + 2, codes, at, 128 - 16);
});

/** `q d + m` */
export const Q5_1 = small(24, 8, true, (source, from, { codes, scales, offsets }, at) => {
  scales[at / 32] = half(source, from);
  offsets![at / 32] = half(source, from + 2);
  fiveBits(source, from + 4, codes, at, 128);
});

/** `q d`, with sign */
export const Q8_0 = small(34, 8, false, (source, from, { codes, scales }, at) => {
  scales[at / 32] = half(source, from);
  // A change of the highest bit adds 128 to a number in two's complement.
  for (let i = 0; i < 32; i++) codes[at + i] = source[from + 2 + i]! ^ 0x80;
});

/** The half-precision number at a byte. */
export const half = (source: Uint8Array, from: number): number => widenHalf(source[from]! | (source[from + 1]! << 8));

/** The file's lower halves of `count` bytes come before all upper halves; ours alternate. */
export function repackNibbles(source: Uint8Array, from: number, count: number, codes: Uint8Array, to: number): void {
  const middle = count / 2;
  // Four bytes at once: half of the time that pairs take.
  for (let i = 0; i < middle; i += 2, from += 4, to += 2) {
    const word = source[from]! | (source[from + 1]! << 8) | (source[from + 2]! << 16) | (source[from + 3]! << 24);
    const low = joinedNibbles(word & 0x0f0f0f0f);
    const high = joinedNibbles((word >>> 4) & 0x0f0f0f0f);
    codes[to] = low;
    codes[to + 1] = low >>> 16;
    codes[to + middle] = high;
    codes[to + middle + 1] = high >>> 16;
  }
}

/** Of four bytes with a nibble each the first two in the lowest byte, the others in the third. */
const joinedNibbles = (word: number): number => word | (word >>> 4);

/** Four bytes of fifth bits, then 16 of the four lower bits. */
function fiveBits(source: Uint8Array, from: number, codes: Uint8Array, at: number, zero: number): void {
  for (let i = 0; i < 16; i++) {
    const low = source[from + 4 + i]!;
    codes[at + i] = zero + (low & 15) + 16 * bitOf(source, from, i);
    codes[at + 16 + i] = zero + (low >> 4) + 16 * bitOf(source, from, 16 + i);
  }
}

const bitOf = (source: Uint8Array, from: number, bit: number): number => (source[from + (bit >> 3)]! >> (bit & 7)) & 1;
