import type { ObjectVersionDto } from '@hone/client';

import { parseRef } from '../../shared/data/refs.js';

/** A version of a dataset as pages show it. */
export interface DatasetVersion {
  readonly objectId: string;
  readonly digest: string;
  readonly index: number;
  readonly createdAt: string;
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  /** Digest of the table with its rows; null: the value names none. */
  readonly table: string | null;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function toDatasetVersion(version: ObjectVersionDto): DatasetVersion {
  const val = (typeof version.val === 'object' && version.val !== null ? version.val : {}) as Record<string, unknown>;
  return {
    objectId: version.object_id,
    digest: version.digest,
    index: version.version_index,
    createdAt: version.created_at,
    userId: version.svc_user_id,
    name: textOf(val['name']) || version.object_id,
    description: textOf(val['description']),
    table: parseRef(textOf(val['rows']))?.name ?? null,
    tags: version.tags ?? [],
    aliases: version.aliases ?? [],
  };
}
