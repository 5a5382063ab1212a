import { isJsonObject, JsonNumber, parseJson } from '@hone/client';

import { RemoteBranch, RemoteText } from './large-payload.js';

/** A value with all of its long texts, arrays and objects, which the worker has. Its numbers are exact. */
export async function readWhole(value: unknown): Promise<unknown> {
  if (value instanceof RemoteBranch) return parseJson(await value.source());
  if (value instanceof RemoteText) return value.whole();
  if (Array.isArray(value)) return Promise.all(value.map(readWhole));
  if (!isJsonObject(value) || value instanceof JsonNumber) return value;
  const members = Object.entries(value).map(async ([key, member]) => [key, await readWhole(member)] as const);
  // Own properties, whatever their names.
  return Object.fromEntries(await Promise.all(members));
}
