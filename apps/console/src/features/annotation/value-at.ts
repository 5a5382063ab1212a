import { isJsonObject } from '@hone/client';

/** The value at a dotted path, for example `inputs.q`; undefined: there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.')) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = (found as Record<string, unknown>)[key];
    else return undefined;
  }
  return found;
}
