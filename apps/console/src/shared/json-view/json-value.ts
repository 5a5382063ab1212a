import { isJsonObject, JsonNumber, JsonText, searchJson, stringifyJson } from '@hone/json';

import { RemoteBranch, RemoteText } from '../payload/large-payload.js';

/** Positions that lead to a member, one at each level. */
export type JsonPath = readonly number[];

/** The members of an array or object that is all there; null: the value is neither. */
export function localMembers(value: unknown): readonly (readonly [key: string, value: unknown])[] | null {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item]);
  return isJsonObject(value) && !isRemote(value) ? Object.entries(value) : null;
}

const isRemote = (value: unknown): boolean => value instanceof RemoteBranch || value instanceof RemoteText;

/** How many members an array or object has; null: the value is neither. */
export function countOf(value: unknown): number | null {
  if (value instanceof RemoteBranch || Array.isArray(value))
    return value instanceof RemoteBranch ? value.count : value.length;
  return isJsonObject(value) && !isRemote(value) ? Object.keys(value).length : null;
}

/** The value as JSON, its numbers as they were sent. */
export function sourceOf(value: unknown): string | Promise<string> {
  if (value instanceof RemoteBranch) return value.source();
  if (value instanceof RemoteText) return value.whole().then((text) => JSON.stringify(text));
  return value instanceof JsonNumber ? value.text : stringifyJson(value ?? null);
}

/** The value as one pastes it: a text without its quotes, all else as JSON. */
export function copyOf(value: unknown): string | Promise<string> {
  if (typeof value === 'string') return value;
  return value instanceof RemoteText ? value.whole() : sourceOf(value);
}

/** A path of a field as queries and columns name it, for example `inputs.list.3`. */
export const deeperPath = (path: string, key: string): string => {
  const escaped = key.replaceAll('.', '\\.');
  return path === '' ? escaped : `${path}.${escaped}`;
};

/** Where a value that is all there contains a text, whatever its case. @param most ends the search */
export function searchLocal(value: unknown, wanted: string, most: number): JsonPath[] {
  const json = new JsonText(stringifyJson(value ?? null));
  return searchJson(json, json.root, wanted, most);
}
