import { endOfString, endOfValue, skipSpace } from '../tokens/byte-tokens.js';
import {
  BACKSLASH,
  CLOSING_BRACKET,
  COMMA,
  IS_CLOSING,
  IS_COLON,
  IS_OPENING,
  IS_QUOTE,
  KINDS,
  QUOTE,
} from '../tokens/characters.js';

/**
 * Offsets of a member of an object; ends are exclusive. Keys and strings include their quotes.
 *
 * Our own, because parsers return values: the gateway edits the caller's body and the upstream's frames as bytes, so that
 * numbers keep their lexemes and everything else stays identical.
 */
export interface JsonMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/**
 * The first member of the object that begins at `start`; null: it is empty. The JSON must be valid; it is not checked
 * again.
 *
 * @param start offset of the object or of the space before it
 */
export function firstMember(json: Buffer, start = 0): JsonMember | null {
  return memberAt(json, skipSpace(json, skipSpace(json, start) + 1));
}

/** The member after another one; null: that was the last. */
export function nextMember(json: Buffer, { valueEnd }: JsonMember): JsonMember | null {
  const comma = skipSpace(json, valueEnd);
  return json[comma] === COMMA ? memberAt(json, skipSpace(json, comma + 1)) : null;
}

function memberAt(json: Buffer, keyStart: number): JsonMember | null {
  if (json[keyStart] !== QUOTE) return null;
  const keyEnd = endOfString(json, keyStart);
  const valueStart = skipSpace(json, skipSpace(json, keyEnd) + 1);
  return { keyStart, keyEnd, valueStart, valueEnd: endOfValue(json, valueStart) };
}

export const keyOf = (json: Buffer, { keyStart, keyEnd }: JsonMember): string => readString(json, keyStart, keyEnd);

/**
 * Whether `key` is the member's key. Keys are compared as bytes; only one with escapes is decoded.
 *
 * @param key ASCII
 */
export function hasKey(json: Buffer, member: JsonMember, key: string): boolean {
  const start = member.keyStart + 1;
  const length = member.keyEnd - 1 - start;
  if (length < key.length) return false;
  for (let at = 0; at < length; at++) {
    const byte = json[start + at];
    if (byte === BACKSLASH) return keyOf(json, member) === key;
    if (byte !== key.charCodeAt(at)) return false;
  }
  return true;
}

/** Whether the string at `start`, quotes included, is `text` without escapes. */
export function isPlainString(json: Buffer, start: number, end: number, text: string): boolean {
  if (end - start - 2 !== text.length || json[start] !== QUOTE) return false;
  for (let at = 0; at < text.length; at++) if (json[start + 1 + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Counts the members of the object; a duplicate key counts twice. */
export function countMembers(json: Buffer): number {
  let count = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const kind = KINDS[json[at] as number];
    if (kind === IS_QUOTE) at = endOfString(json, at) - 1;
    else if (kind === IS_COLON) count += depth === 1 ? 1 : 0;
    else if (kind === IS_OPENING) depth++;
    else if (kind === IS_CLOSING) depth--;
  }
  return count;
}

/**
 * The member called `key`, or null.
 *
 * @param key ASCII
 */
export function findMember(json: Buffer, key: string, start = 0): JsonMember | null {
  let member = firstMember(json, start);
  while (member !== null && !hasKey(json, member, key)) member = nextMember(json, member);
  return member;
}

/** Offset of the first item of the array that begins at `start`, or -1 when it is empty. */
export function firstItem(json: Buffer, start: number): number {
  const at = skipSpace(json, start + 1);
  return json[at] === CLOSING_BRACKET ? -1 : at;
}

/** Offset of the item after the one that begins at `start`, or -1 when that was the last. */
export function nextItem(json: Buffer, start: number): number {
  const comma = skipSpace(json, endOfValue(json, start));
  return json[comma] === COMMA ? skipSpace(json, comma + 1) : -1;
}

function readString(json: Buffer, start: number, end: number): string {
  const text = json.toString('utf8', start + 1, end - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
