import { isJsonObject } from '@hone/client';

import { RemoteBranch } from '../../shared/payload/large-payload.js';

/**
 * The value at a dotted path, for example `inputs.q`; undefined: there is none. Of a large value, of which the page has
 * only the beginning, it is the whole.
 */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.')) {
    if (found instanceof RemoteBranch) return found;
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = (found as Record<string, unknown>)[key];
    else return undefined;
  }
  return found;
}
