/** Doubles are whole multiples of 2^-1074. */
const FRACTION_BITS = 1_074;
const EXPONENT_MASK = 0x7ffn;
const MANTISSA_MASK = (1n << 52n) - 1n;

const view = new DataView(new ArrayBuffer(8));

/** A sum of doubles without rounding: the order of what is added cannot matter, here or in the database. */
export class ExactSum {
  /** In units of 2^-1074. */
  private units = 0n;
  private addends = 0;

  get count(): number {
    return this.addends;
  }

  /** @param value finite */
  add(value: number): void {
    this.addends++;
    if (value !== 0) this.units += unitsOf(value);
  }

  /** Decimal text, exact. */
  toString(): string {
    if (this.units === 0n) return '0';
    const sign = this.units < 0n ? '-' : '';
    const units = this.units < 0n ? -this.units : this.units;
    const zeroBits = Math.min(trailingZeros(units), FRACTION_BITS);
    const digits = FRACTION_BITS - zeroBits;
    // n / 2^d is n * 5^d / 10^d.
    const text = ((units >> BigInt(zeroBits)) * 5n ** BigInt(digits)).toString();
    if (digits === 0) return sign + text;
    const padded = text.padStart(digits + 1, '0');
    return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
  }
}

function unitsOf(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & EXPONENT_MASK;
  const mantissa = bits & MANTISSA_MASK;
  const units = exponent === 0n ? mantissa : (mantissa | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -units : units;
}

const trailingZeros = (value: bigint): number => (value & -value).toString(2).length - 1;
