import { JsonNumber, RawJson } from './json-value.js';

/**
 * Compact JSON text (no blanks, keys in their order) in which {@link JsonNumber}s keep their lexemes and
 * {@link RawJson} stands as it is. `undefined` members are left out, `Date`s become ISO 8601.
 */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  if (value instanceof JsonNumber) return value.text;
  if (value instanceof Date) return `"${value.toISOString()}"`;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? stringifyJson(item) : `,${stringifyJson(item)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${stringifyJson(member)}`;
  }
  return `{${text}}`;
}
