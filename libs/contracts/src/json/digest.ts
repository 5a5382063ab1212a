import { createHash } from 'node:crypto';

import { isJsonObject, JsonNumber, type JsonValue } from './json-value.js';

/** Refs inside hashed text carry this scheme and an opaque project id, so that a digest does not depend on a server's own scheme. */
const INTERNAL_REF = 'weave-trace-internal:///';
/** What `JSON.stringify` leaves as it is and Python escapes. Without the flag `u`: one match per UTF-16 unit. */
const NOT_ASCII = /[\x7f-\uffff]/g;
/** UTF-16 unit -> its escape, made at the first use: one lookup per character costs a tenth of making it each time. */
const ESCAPES: string[] = [];

/**
 * What Python's `json.dumps(value, sort_keys=True)` prints: keys sorted by code point, separators `, ` and `: `,
 * every character outside U+0020..U+007E escaped, integers digit by digit, other numbers as `repr(float)`.
 *
 * @param refScheme when given, string values that are refs of this scheme are written in their internal form, as hashing needs
 */
export function canonicalText(value: JsonValue, refScheme?: string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(refScheme === undefined ? value : toInternalRef(value, refScheme));
  if (typeof value === 'number') return numberText(String(value));
  if (value instanceof JsonNumber) return numberText(value.lexeme);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, refScheme)).join(', ')}]`;
  if (!isJsonObject(value)) throw new TypeError('not a JSON value');
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${quote(key)}: ${canonicalText(value[key] as JsonValue, refScheme)}`).join(', ')}}`;
}

/**
 * Content digest of a value: base64url(SHA-256(UTF-8({@link canonicalText}))) without `=`, `-` as `X`, `_` as `Y`.
 *
 * @returns 43 alphanumeric characters
 */
export function contentDigest(value: JsonValue, refScheme = 'hone'): string {
  return bytesDigest(canonicalText(value, refScheme));
}

/** The same recipe on the bytes of a file. */
export function bytesDigest(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y');
}

/** Digest of a table: hex SHA-256 of its joined row digests. */
export function tableDigest(rowDigests: string[]): string {
  return createHash('sha256').update(rowDigests.join('')).digest('hex');
}

/** Order by code point; UTF-16 code units would put astral characters before U+E000. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const compareAt = (index: number) => (a.codePointAt(index) as number) - (b.codePointAt(index) as number);
  // Where the second halves of two pairs differ, whole characters differ.
  return (isHighSurrogate(a.charCodeAt(at - 1)) && compareAt(at - 1)) || compareAt(at);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const quote = (text: string): string => JSON.stringify(text).replace(NOT_ASCII, escapeOf);

function escapeOf(unit: string): string {
  const code = unit.charCodeAt(0);
  return (ESCAPES[code] ??= `\\u${code.toString(16).padStart(4, '0')}`);
}

function numberText(lexeme: string): string {
  if (!/[.eE]/.test(lexeme)) return lexeme === '-0' ? '0' : lexeme;
  const value = Number(lexeme);
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const exponent = Number(value.toExponential().split('e')[1]);
  if (exponent >= -4 && exponent < 16) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa] = value.toExponential().split('e');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function toInternalRef(text: string, scheme: string): string {
  const prefix = `${scheme}:///`;
  if (!text.startsWith(prefix)) return text;
  const match = /^([^/]+\/[^/]+)\/(.+)$/s.exec(text.slice(prefix.length));
  return match ? `${INTERNAL_REF}${Buffer.from(match[1] as string).toString('base64url')}/${match[2]}` : text;
}
