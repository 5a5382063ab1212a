import { isJsonObject, JsonNumber, type JsonValue } from './json-value.js';

/** What `JSON.stringify` leaves as it is and Python escapes. Without the flag `u`: one match per UTF-16 unit. */
const NOT_ASCII = /[\x7f-\uffff]/g;
/** UTF-16 unit -> its escape, made at the first use: one lookup per character costs a tenth of making it each time. */
const ESCAPES: string[] = [];

/**
 * What Python's `json.dumps(value, sort_keys=True)` prints: keys sorted by code point, separators `, ` and `: `,
 * every character outside U+0020..U+007E escaped, integers digit by digit, other numbers as `repr(float)`.
 *
 * @param replace gives the text that is printed for a string value; keys stay as they are
 */
export function canonicalJson(value: JsonValue, replace?: (text: string) => string): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(replace === undefined ? value : replace(value));
  if (typeof value === 'number') return numberText(String(value));
  if (value instanceof JsonNumber) return numberText(value.lexeme);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, replace)).join(', ')}]`;
  if (!isJsonObject(value)) throw new TypeError('not a JSON value');
  const keys = Object.keys(value).sort(byCodePoint);
  return `{${keys.map((key) => `${quote(key)}: ${canonicalJson(value[key] as JsonValue, replace)}`).join(', ')}}`;
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
