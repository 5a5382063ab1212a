import { JsonNumber, stringifyJson } from '@hone/client';

const MAX_CHARACTERS = 300;

/** Any JSON value on one line, cut where a line of a table is over anyway. */
export function preview(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value.slice(0, 2 * MAX_CHARACTERS) : shortJson(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

const shortJson = (value: unknown): string => (value instanceof JsonNumber ? value.text : stringifyJson(value));

/** A JSON value as one reads and edits it: texts as they are, all else indented. */
export function prettyJson(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => deeper + prettyJson(item, deeper)).join(',\n')}\n${indent}]`;
  }
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== 'object' || value === null) return stringifyJson(value ?? null);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${prettyJson(item, deeper)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
