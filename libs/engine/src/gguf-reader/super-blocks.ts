import { type BlockFormat, fourBytes, fourTimes, half, repackNibbles } from './small-blocks.js';

/** Packs of 256 numbers; layouts: block_q4_K and others of llama.cpp's ggml-common.h, dequantize_row_* of ggml-quants.c. */
const PACK = 256;

/** Eight blocks of `q d scale - dmin minimum`. */
export const Q4_K: BlockFormat = {
  ...{ bits: 4, blockSize: 32, hasOffsets: true, packNumbers: PACK, packBytes: 144 },
  unpack: (source, from, { codes, scales, offsets }, at) => {
    for (let block = 0; block < 8; block++) {
      const { scale, minimum } = scaleOf(source, from, block);
      scales[at / 32 + block] = scale;
      offsets![at / 32 + block] = 8 * scale - minimum;
    }
    for (let part = 0; part < 4; part++) repackNibbles(source, from + 16 + 32 * part, 32, codes, (at + 64 * part) / 2);
  },
};

/** The same with codes of five bits; the fifth are in 32 bytes before the others. */
export const Q5_K: BlockFormat = {
  ...{ bits: 8, blockSize: 32, hasOffsets: true, packNumbers: PACK, packBytes: 176 },
  unpack: (source, from, { codes, scales, offsets }, at) => {
    for (let block = 0; block < 8; block++) {
      const { scale, minimum } = scaleOf(source, from, block);
      scales[at / 32 + block] = scale;
      offsets![at / 32 + block] = -minimum;
    }
    for (let i = 0; i < PACK; i += 4) {
      const block = i >> 5;
      const fours = fourBytes(source, from + 48 + 32 * (i >> 6) + (i & 31)) >>> (4 * (block & 1));
      const fifths = (fourBytes(source, from + 16 + (i & 31)) >>> block) & fourTimes(1);
      codes.setInt32(at + i, fourTimes(128) | (fours & fourTimes(0x0f)) | (fifths << 4), true);
    }
  },
};

/** 16 blocks of 16 numbers, `(q - 32) d scale`: 128 bytes of lower bits, 64 of upper ones, 16 scales, d. */
export const Q6_K: BlockFormat = {
  ...{ bits: 8, blockSize: 16, hasOffsets: false, packNumbers: PACK, packBytes: 210 },
  unpack: (source, from, { codes, scales }, at) => {
    const scale = half(source, from + 208);
    for (let block = 0; block < 16; block++) {
      scales[at / 16 + block] = scale * source.getInt8(from + 192 + block);
    }
    for (let i = 0; i < PACK; i += 4) {
      // Each half of the pack has four quarters of 32 numbers.
      const [part, quarter] = [i >> 7, (i >> 5) & 3];
      const fours = fourBytes(source, from + 64 * part + 32 * (quarter & 1) + (i & 31)) >>> (4 * (quarter >> 1));
      const twos = fourBytes(source, from + 128 + 32 * part + (i & 31)) >>> (2 * quarter);
      const quants = (fours & fourTimes(0x0f)) | ((twos & fourTimes(0x03)) << 4);
      codes.setInt32(at + i, fourTimes(128 - 32) + quants, true);
    }
  },
};

/** Scales and minima of six bits each, in twelve bytes after d and dmin (get_scale_min_k4 of ggml-quants.c). */
function scaleOf(source: DataView, from: number, block: number): { scale: number; minimum: number } {
  const byte = (index: number): number => source.getUint8(from + 4 + index);
  const [scale, minimum] =
    block < 4
      ? [byte(block) & 63, byte(block + 4) & 63]
      : [(byte(block + 4) & 15) | ((byte(block - 4) >> 6) << 4), (byte(block + 4) >> 4) | ((byte(block) >> 6) << 4)];
  return { scale: half(source, from) * scale, minimum: half(source, from + 2) * minimum };
}
