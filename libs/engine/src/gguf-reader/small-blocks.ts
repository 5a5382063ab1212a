import { widenHalf } from '../float-formats.js';

/** The parts of a block matrix while it is filled. */
export interface BlockParts {
  /** A view of the codes: writing four codes at once takes half of the time. */
  readonly codes: DataView;
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
  readonly unpack: (source: DataView, from: number, target: BlockParts, at: number) => void;
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
  fiveBits(source, from + 2, codes, at, fourTimes(128 - 16));
});

/** `q d + m` */
export const Q5_1 = small(24, 8, true, (source, from, { codes, scales, offsets }, at) => {
  scales[at / 32] = half(source, from);
  offsets![at / 32] = half(source, from + 2);
  fiveBits(source, from + 4, codes, at, fourTimes(128));
});

/** `q d`, with sign */
export const Q8_0 = small(34, 8, false, (source, from, { codes, scales }, at) => {
  scales[at / 32] = half(source, from);
  // A change of the highest bit adds 128 to a number in two's complement.
  for (let i = 0; i < 32; i += 4) codes.setInt32(at + i, fourBytes(source, from + 2 + i) ^ fourTimes(0x80), true);
});

/** The half-precision number at a byte. */
export const half = (source: DataView, from: number): number => widenHalf(source.getUint16(from, true));

/** The bytes from `from` on, the first in the lowest: each is then a number of its own. */
export const fourBytes = (source: DataView, from: number): number => source.getInt32(from, true);

/** A number of a byte in each of the four bytes of a word. */
export const fourTimes = (byte: number): number => byte * 0x01010101;

/** The file's lower halves of `count` bytes come before all upper halves; ours alternate. */
export function repackNibbles(source: DataView, from: number, count: number, codes: DataView, to: number): void {
  for (let i = 0; i < count; i += 8) {
    const first = fourBytes(source, from + i);
    const second = fourBytes(source, from + i + 4);
    const at = to + i / 2;
    codes.setInt32(at, joinedNibbles(first) | (joinedNibbles(second) << 16), true);
    codes.setInt32(at + count / 2, joinedNibbles(first >>> 4) | (joinedNibbles(second >>> 4) << 16), true);
  }
}

/** The lower halves of four bytes, in two. */
function joinedNibbles(word: number): number {
  const apart = word & fourTimes(0x0f);
  const joined = apart | (apart >>> 4);
  return (joined & 0xff) | ((joined >>> 8) & 0xff00);
}

/** Four bytes of fifth bits, then 16 of the four lower bits. */
function fiveBits(source: DataView, from: number, codes: DataView, at: number, zeros: number): void {
  const fifths = fourBytes(source, from);
  for (let i = 0; i < 16; i += 4) {
    const fours = fourBytes(source, from + 4 + i);
    codes.setInt32(at + i, zeros + (fours & fourTimes(0x0f)) + 16 * fourBits(fifths >>> i), true);
    codes.setInt32(at + 16 + i, zeros + ((fours >>> 4) & fourTimes(0x0f)) + 16 * fourBits(fifths >>> (16 + i)), true);
  }
}

/** The four lowest bits, one in each byte of a word. */
const fourBits = (bits: number): number => ((bits & 0x0f) * 0x00204081) & fourTimes(1);
