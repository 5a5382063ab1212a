/** The numbers of one pack, written down after ggml's dequantize_row_* and without any code of the reader. */
export const REFERENCE: Readonly<Record<string, { type: number; bytes: number; widen: (b: Buffer) => number[] }>> = {
  Q4_0: { type: 2, bytes: 18, widen: (b) => nibbles(b.subarray(2)).map((q) => (q - 8) * f16(b, 0)) },
  Q4_1: { type: 3, bytes: 20, widen: (b) => nibbles(b.subarray(4)).map((q) => q * f16(b, 0) + f16(b, 2)) },
  Q5_0: { type: 6, bytes: 22, widen: (b) => fives(b, 2).map((q) => (q - 16) * f16(b, 0)) },
  Q5_1: { type: 7, bytes: 24, widen: (b) => fives(b, 4).map((q) => q * f16(b, 0) + f16(b, 2)) },
  Q8_0: { type: 8, bytes: 34, widen: (b) => Array.from({ length: 32 }, (_, i) => b.readInt8(2 + i) * f16(b, 0)) },
  Q4_K: { type: 12, bytes: 144, widen: (b) => kBlocks(b, 16, () => 0) },
  Q5_K: { type: 13, bytes: 176, widen: (b) => kBlocks(b, 48, (l, block) => ((b[16 + l]! >> block) & 1) * 16) },
  Q6_K: { type: 14, bytes: 210, widen: q6k },
};

function f16(b: Buffer, at: number): number {
  const bits = b.readUInt16LE(at);
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >> 15 ? -size : size;
}

function nibbles(b: Buffer): number[] {
  return [...b.subarray(0, 16)].map((byte) => byte & 15).concat([...b.subarray(0, 16)].map((byte) => byte >> 4));
}

function fives(b: Buffer, at: number): number[] {
  const high = b.readUInt32LE(at);
  return nibbles(b.subarray(at + 4)).map((low, i) => low + 16 * ((high >>> i) & 1));
}

function kBlocks(b: Buffer, quants: number, extra: (l: number, block: number) => number): number[] {
  const out: number[] = [];
  for (let block = 0; block < 8; block++) {
    const s = (i: number): number => b[4 + i]!;
    const scale = block < 4 ? s(block) & 63 : (s(block + 4) & 15) + ((s(block - 4) >> 6) << 4);
    const minimum = block < 4 ? s(block + 4) & 63 : (s(block + 4) >> 4) + ((s(block) >> 6) << 4);
    for (let l = 0; l < 32; l++) {
      const byte = b[quants + 32 * Math.floor(block / 2) + l]!;
      const q = (block % 2 === 0 ? byte & 15 : byte >> 4) + extra(l, block);
      out.push(f16(b, 0) * scale * q - f16(b, 2) * minimum);
    }
  }
  return out;
}

function q6k(b: Buffer): number[] {
  const out = Array<number>(256);
  for (let half = 0; half < 2; half++) {
    const [ql, qh, scales] = [b.subarray(64 * half), b.subarray(128 + 32 * half), b.subarray(192 + 8 * half)];
    for (let l = 0; l < 32; l++) {
      const at = Math.floor(l / 16);
      const put = (place: number, q: number): void => {
        out[128 * half + 32 * place + l] = f16(b, 208) * scales.readInt8(at + 2 * place) * (q - 32);
      };
      put(0, (ql[l]! & 15) | ((qh[l]! & 3) << 4));
      put(1, (ql[l + 32]! & 15) | (((qh[l]! >> 2) & 3) << 4));
      put(2, (ql[l]! >> 4) | (((qh[l]! >> 4) & 3) << 4));
      put(3, (ql[l + 32]! >> 4) | (((qh[l]! >> 6) & 3) << 4));
    }
  }
  return out;
}
