/** Between the tokens of JSON only; within texts they are escaped. */
const LINE_BREAK = 1;
const BRACKET = 2;
const QUOTE = 3;
const EXPONENT = 4;
const DIGIT = 5;

const KINDS = kindsOf({
  '\n\r': LINE_BREAK,
  '{[': BRACKET,
  '"': QUOTE,
  eE: EXPONENT,
  '0123456789': DIGIT,
});
const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SLASH = 0x2f;
const LETTER_U = 0x75;
const PLUS = 0x2b;
const MINUS = 0x2d;
/** Of an exponent, and of a whole number, that jsonb may refuse. */
const MANY_DIGITS = 3;
const TOO_MANY_DIGITS = 1_000;

/** What JSON text has, as far as its bytes show it. Texts may look like refs. */
export interface JsonScan {
  readonly hasLineBreaks: boolean;
  /** Refs, escapes, or numbers that jsonb may refuse. */
  readonly isSpecial: boolean;
  /** At least as many as it has levels. */
  readonly brackets: number;
}

/** Looks at each byte once: this runs on all that is kept of chats, most of which need not be parsed. */
export function scanJson(bytes: Uint8Array): JsonScan {
  let hasLineBreaks = false;
  let isSpecial = false;
  let brackets = 0;
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] as number];
    if (kind === 0) continue;
    if (kind === QUOTE) {
      const end = endOfText(bytes, at + 1);
      at = Math.abs(end);
      if (end < 0) isSpecial = true;
    } else if (kind === BRACKET) brackets++;
    else if (kind === LINE_BREAK) hasLineBreaks = true;
    else if (kind === EXPONENT)
      isSpecial ||= isDigit(bytes, at - 1) && digitsAt(bytes, afterSign(bytes, at + 1)) >= MANY_DIGITS;
    else {
      const digits = digitsAt(bytes, at);
      isSpecial ||= digits >= TOO_MANY_DIGITS;
      at += digits - 1;
    }
  }
  return { hasLineBreaks, isSpecial, brackets };
}

/**
 * Offset of the quotation mark that ends a text; negative: the text has an escape, or what may be a ref. Ids and hashes
 * look like numbers with exponents, so texts are not searched for these.
 */
function endOfText(bytes: Uint8Array, start: number): number {
  let isSpecial = false;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTATION_MARK) break;
    if (byte === BACKSLASH) isSpecial ||= bytes[++at] === LETTER_U;
    else if (byte === COLON) isSpecial ||= isScheme(bytes, at);
  }
  return isSpecial ? -at : at;
}

const isScheme = (bytes: Uint8Array, colon: number): boolean =>
  bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH && bytes[colon + 3] === SLASH;

const isDigit = (bytes: Uint8Array, at: number): boolean => KINDS[bytes[at] as number] === DIGIT;

const afterSign = (bytes: Uint8Array, at: number): number => (bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at);

function digitsAt(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes, at)) at++;
  return at - start;
}

function kindsOf(characters: Readonly<Record<string, number>>): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const [each, kind] of Object.entries(characters)) for (const byte of Buffer.from(each)) kinds[byte] = kind;
  return kinds;
}
