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
/** Escapes that jsonb may refuse, and what a ref has. */
const SPECIAL = ['\\u', ':///'].map((text) => Buffer.from(text));
/** For shorter texts a loop is faster than a native search. */
const SHORT = 32;
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

/**
 * This runs on all that is kept of chats, most of which need not be parsed: texts, nearly all of it, are searched natively.
 * Only what is between them is looked at byte by byte. Ids and hashes look like numbers with exponents, but are texts.
 */
export function scanJson(bytes: Buffer): JsonScan {
  let hasLineBreaks = false;
  let isSpecial = SPECIAL.some((text) => bytes.includes(text));
  let brackets = 0;
  for (let at = 0; at < bytes.length; at++) {
    const kind = KINDS[bytes[at] as number];
    if (kind === 0) continue;
    if (kind === QUOTE) at = endOfText(bytes, at + 1);
    else if (kind === BRACKET) brackets++;
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

/** Offset of the quotation mark that ends a text. @param start offset of its first character */
function endOfText(bytes: Buffer, start: number): number {
  let at = start;
  for (const end = Math.min(start + SHORT, bytes.length); at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTATION_MARK) return at;
    if (byte === BACKSLASH) at++;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTATION_MARK, at);
    if (quote < 0) return bytes.length;
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
}

const isDigit = (bytes: Buffer, at: number): boolean => KINDS[bytes[at] as number] === DIGIT;

const afterSign = (bytes: Buffer, at: number): number => (bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at);

function digitsAt(bytes: Buffer, start: number): number {
  let at = start;
  while (isDigit(bytes, at)) at++;
  return at - start;
}

function kindsOf(characters: Readonly<Record<string, number>>): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const [each, kind] of Object.entries(characters)) for (const byte of Buffer.from(each)) kinds[byte] = kind;
  return kinds;
}
