import {
  BACKSLASH,
  IS_BLANK,
  IS_CLOSING,
  IS_COMMA,
  IS_MARK,
  IS_OPENING,
  IS_QUOTE,
  KINDS,
  QUOTE,
} from './characters.js';

/** A loop finds the end of a string of up to so many bytes sooner than a native search does. */
const SHORT = 32;
const AFTER_SCALAR = IS_COMMA | IS_CLOSING | IS_BLANK | IS_MARK;

/** The kinds of the byte at an offset; 0 beyond the end. */
export const kindAt = (json: Uint8Array, at: number): number =>
  at < json.length ? (KINDS[json[at] as number] as number) : 0;

/** Offset after the string whose first quote is at `start`, or `json.length` where it does not end. */
export function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  for (const end = Math.min(at + SHORT, json.length); at < end; at++) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  for (;;) {
    // The native search is fast for long strings, such as images.
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let backslash = quote;
    while (backslash > at && json[backslash - 1] === BACKSLASH) backslash--;
    if ((quote - backslash) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Offset of the first byte at `from` or after it that is no blank. The byte order mark that may precede JSON is one. */
export function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  while ((kindAt(json, at) & (IS_BLANK | IS_MARK)) !== 0) at++;
  return at;
}

/** Offset after the value that begins at `start`, or `json.length` where it does not end. */
export function endOfValue(json: Uint8Array, start: number): number {
  const kind = kindAt(json, start);
  if (kind === IS_QUOTE) return endOfString(json, start);
  if (kind === IS_OPENING) return endOfNest(json, start);
  let at = start;
  while (at < json.length && (kindAt(json, at) & AFTER_SCALAR) === 0) at++;
  return at;
}

/** Offset after the object or array that begins at `start`, or `json.length` where it does not end. */
function endOfNest(json: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const kind = KINDS[json[at] as number];
    if (kind === IS_QUOTE) at = endOfString(json, at) - 1;
    else if (kind === IS_OPENING) depth++;
    else if (kind === IS_CLOSING && --depth === 0) return at + 1;
  }
  return json.length;
}
