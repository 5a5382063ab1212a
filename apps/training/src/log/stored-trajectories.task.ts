import { gunzipSync } from 'node:zlib';

import { isJsonObject, type JsonValue, parseJsonBytes, stringifyJson } from '@hone/contracts';
import type { Task } from '@hone/threads';

export interface StoredTrajectories {
  /** The stored body. */
  gzipped: Uint8Array;
  /** Group and index of each trajectory that is wanted. */
  positions: [number, number][];
}

/** Picks trajectories out of a stored body: their JSON texts, with every number as it was written. */
export const TASK: Task<StoredTrajectories, string[]> = {
  module: import.meta.url,
  run({ gzipped, positions }) {
    const body = parseJsonBytes(gunzipSync(gzipped));
    return positions.map(([group, index]) =>
      stringifyJson(at(at(at(body, 'trajectory_groups'), group), 'trajectories', index)),
    );
  },
};

function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const isList = Array.isArray(value);
  const inner = isList ? value[key as number] : isJsonObject(value) ? value[key] : undefined;
  return at(inner, ...rest);
}
