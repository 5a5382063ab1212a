/** Number formats that are read into float32; all are little-endian, as is every platform that Node runs on. */
export type FloatFormat = 'F32' | 'F16' | 'BF16';

export const BYTES_PER_FLOAT: Readonly<Record<FloatFormat, number>> = { F32: 4, F16: 2, BF16: 2 };

export function isFloatFormat(dtype: string): dtype is FloatFormat {
  return dtype === 'F32' || dtype === 'F16' || dtype === 'BF16';
}

/** Widens 16-bit floats to float32, exactly. `target` has the length of `source`. */
export function widenFloats(source: Uint16Array, format: 'F16' | 'BF16', target: Float32Array): void {
  if (format === 'BF16') {
    // bfloat16 is the upper half of a float32.
    const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16;
    return;
  }
  const table = halfTable();
  for (let i = 0; i < source.length; i++) target[i] = table[source[i]!]!;
}

/** Value of a half-precision number (IEEE 754 binary16), given its bits. */
export const widenHalf = (bits: number): number => halfTable()[bits]!;

let halves: Float32Array | undefined;

/** float32 value of each of the 65,536 half-precision numbers (IEEE 754 binary16). */
function halfTable(): Float32Array {
  halves ??= Float32Array.from({ length: 65_536 }, (_, bits) => halfToFloat(bits));
  return halves;
}

function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
