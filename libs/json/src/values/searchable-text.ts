import { isJsonObject, JsonNumber, type JsonValue, setKey } from './json-value.js';
import { stringifyJson } from './stringify-json.js';

/** U+0000, and surrogates without their other half. */
const UNSEARCHABLE_CHARACTER = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A copy for Postgres' jsonb, which is only searched: U+0000 and unpaired surrogates become U+FFFD, numbers outside
 * its range become null.
 *
 * @param text `stringifyJson(value)`; returned as it is when jsonb takes it
 */
export function searchableText(value: JsonValue, text: string): string {
  return isSearchable(value) ? text : stringifyJson(searchable(value));
}

/** Whether jsonb takes a value as it is. Walks the value, whose strings V8 looks through faster than a pattern does. */
function isSearchable(value: JsonValue): boolean {
  if (typeof value === 'string') return isSearchableString(value);
  if (value instanceof JsonNumber) return !isOutsideJsonb(value.lexeme);
  if (Array.isArray(value)) return value.every(isSearchable);
  if (!isJsonObject(value)) return true;
  return Object.keys(value).every((key) => isSearchableString(key) && isSearchable(value[key] as JsonValue));
}

const isSearchableString = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function searchable(value: JsonValue): unknown {
  if (typeof value === 'string') return value.replace(UNSEARCHABLE_CHARACTER, '\ufffd');
  if (value instanceof JsonNumber) return isOutsideJsonb(value.lexeme) ? null : value;
  if (Array.isArray(value)) return value.map(searchable);
  if (!isJsonObject(value)) return value;
  const copy = {};
  for (const key of Object.keys(value)) {
    setKey(copy, key.replace(UNSEARCHABLE_CHARACTER, '\ufffd'), searchable(value[key] as JsonValue));
  }
  return copy;
}

/** Postgres' numeric has at most 16,383 digits after the point; what is far below any double is not worth them. */
function isOutsideJsonb(lexeme: string): boolean {
  const [digits = '', exponent = '0'] = lexeme.toLowerCase().split('e');
  return Math.abs(Number(exponent)) > 400 || digits.length > 10_000;
}
