import { isUtf8 } from 'node:buffer';

import { BACKSLASH, QUOTE, SPACE } from '../tokens/characters.js';

/** Characters that may follow a backslash. A code point in digits, `\u`, is left to a parser. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LAST_ASCII = 0x7f;

/**
 * Validates the rest of a string without a parser.
 *
 * @param start offset of the first character after the opening quote
 * @param checksUtf8 also refuses what is no UTF-8
 * @returns offset of the closing quote; -1: a parser must decide, because the string is invalid, is cut, or has code
 * points in digits
 */
export function endOfPlainString(json: Buffer, start: number, checksUtf8: boolean): number {
  let isAscii = true;
  for (let at = start; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) return isAscii || !checksUtf8 || isUtf8(json.subarray(start, at)) ? at : -1;
    if (byte > LAST_ASCII) isAscii = false;
    if (byte < SPACE) return -1;
    if (byte === BACKSLASH && !ESCAPES.has(json[++at] as number)) return -1;
  }
  return -1;
}
