import { BACKSLASH, IS_BLANK, IS_QUOTE, KINDS } from './characters.js';

/** These do for texts what `byte-tokens.ts` does for bytes: V8 would run one function for both several times slower. */

/** The kinds of the character at an offset; 0 beyond the end. */
export const kindAt = (json: string, at: number): number => (at < json.length ? (KINDS[json.charCodeAt(at)] ?? 0) : 0);

/** Offset of the next character of one of these kinds, at `at` or after it and outside of strings; -1: there is none. */
export function nextOf(kinds: number, json: string, at: number): number {
  for (let next = at; next < json.length; next++) {
    const kind = KINDS[json.charCodeAt(next)] ?? 0;
    if ((kind & kinds) !== 0) return next;
    if (kind !== IS_QUOTE) continue;
    const end = endOfString(json, next);
    if (end < 0) return -1;
    next = end - 1;
  }
  return -1;
}

/** Offset after the string whose first quote is at `start`; -1: it does not end. */
export function endOfString(json: string, start: number): number {
  for (let end = start; ;) {
    const from = end + 1;
    end = json.indexOf('"', from);
    if (end < 0) return -1;
    let backslash = end;
    while (backslash > from && json.charCodeAt(backslash - 1) === BACKSLASH) backslash--;
    if ((end - backslash) % 2 === 0) return end + 1;
  }
}

/** Offset of the first character at `from` or after it that is no blank. */
export function skipBlanks(json: string, from: number): number {
  let at = from;
  while ((kindAt(json, at) & IS_BLANK) !== 0) at++;
  return at;
}
