import { isJsonObject } from '@hone/contracts';

/** What a path leads to; null when it leads nowhere. A number in a path is an index where there is a list. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const part of path) {
    if (Array.isArray(current)) current = /^-?\d+$/.test(part) ? current.at(Number(part)) : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, part) ? current[part] : undefined;
  }
  return current ?? null;
}
