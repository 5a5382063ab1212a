import { endOfString } from '../tokens/byte-tokens.js';
import {
  IS_DIGIT,
  IS_EXPONENT,
  IS_LINE_BREAK,
  IS_OPENING,
  IS_QUOTE,
  KINDS,
  MINUS,
  PLUS,
} from '../tokens/characters.js';

const SCANNED = IS_QUOTE | IS_LINE_BREAK | IS_OPENING | IS_EXPONENT | IS_DIGIT;
/** Unicode escapes, of which jsonb refuses some, and the separator of every ref. */
const SPECIAL = ['\\u', ':///'].map((text) => Buffer.from(text));
/** Digits of an exponent, and of a whole number, from which jsonb may refuse the number. */
const MANY_DIGITS = 3;
const TOO_MANY_DIGITS = 1_000;

/** Findings of a scan. Strings may look like refs without being any. */
export interface JsonScan {
  readonly hasLineBreaks: boolean;
  /** Refs, escapes, or numbers that jsonb may refuse. */
  readonly isSpecial: boolean;
  /** Number of opening brackets: an upper bound of the nesting. */
  readonly brackets: number;
}

/**
 * Finds out whether valid JSON must be parsed before it is stored. Every stored chat is scanned, and most need no
 * parser. Strings, nearly all of a chat, are searched natively; the loop reads only the bytes between them, as ids and
 * hashes in strings look like numbers with exponents.
 */
export function scanJson(json: Buffer): JsonScan {
  let hasLineBreaks = false;
  let isSpecial = SPECIAL.some((bytes) => json.includes(bytes));
  let brackets = 0;
  for (let at = 0; at < json.length; at++) {
    const kind = KINDS[json[at] as number] as number;
    if ((kind & SCANNED) === 0) continue;
    if (kind === IS_QUOTE) at = endOfString(json, at) - 1;
    else if (kind === IS_OPENING) brackets++;
    else if (kind === IS_EXPONENT)
      isSpecial ||= isDigit(json, at - 1) && digitsAt(json, afterSign(json, at + 1)) >= MANY_DIGITS;
    else if (kind === IS_DIGIT) {
      const digits = digitsAt(json, at);
      isSpecial ||= digits >= TOO_MANY_DIGITS;
      at += digits - 1;
    } else hasLineBreaks = true;
  }
  return { hasLineBreaks, isSpecial, brackets };
}

const isDigit = (json: Buffer, at: number): boolean => KINDS[json[at] as number] === IS_DIGIT;

const afterSign = (json: Buffer, at: number): number => (json[at] === PLUS || json[at] === MINUS ? at + 1 : at);

function digitsAt(json: Buffer, start: number): number {
  let at = start;
  while (isDigit(json, at)) at++;
  return at - start;
}
