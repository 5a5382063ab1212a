const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Where a number is: after its sign, its zero, other digits, the point, digits of the fraction, `e`, its sign, digits. */
const enum Part {
  Sign,
  Zero,
  Digits,
  Point,
  Fraction,
  Exponent,
  ExponentSign,
  ExponentDigits,
}

/** Validates a JSON number byte by byte (RFC 8259, section 6). */
export class NumberScan {
  private part: Part = Part.Sign;

  /** @returns false: no number begins with this byte */
  begin(byte: number): boolean {
    this.part = Part.Sign;
    return byte === MINUS || this.take(byte);
  }

  /** @returns false: the byte does not continue the number */
  take(byte: number): boolean {
    const next = byte >= ZERO && byte <= NINE ? this.afterDigit(byte) : this.afterOther(byte);
    if (next === null) return false;
    this.part = next;
    return true;
  }

  /** The number may end here. */
  get isWhole(): boolean {
    const { part } = this;
    return part === Part.Zero || part === Part.Digits || part === Part.Fraction || part === Part.ExponentDigits;
  }

  private afterDigit(byte: number): Part | null {
    switch (this.part) {
      case Part.Sign:
        return byte === ZERO ? Part.Zero : Part.Digits;
      case Part.Zero:
        return null;
      case Part.Digits:
        return Part.Digits;
      case Part.Point:
      case Part.Fraction:
        return Part.Fraction;
      default:
        return Part.ExponentDigits;
    }
  }

  private afterOther(byte: number): Part | null {
    const { part } = this;
    if (byte === POINT) return part === Part.Zero || part === Part.Digits ? Part.Point : null;
    // `e` or `E`.
    if ((byte | 0x20) === 0x65) {
      return part === Part.Zero || part === Part.Digits || part === Part.Fraction ? Part.Exponent : null;
    }
    return (byte === PLUS || byte === MINUS) && part === Part.Exponent ? Part.ExponentSign : null;
  }
}
