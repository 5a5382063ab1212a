import type { StoredValue } from '@hone/calls';

import type { ObjectContent } from './content/object-content.js';

/** One immutable value of an object, as it is stored. */
export interface ObjectVersionRecord {
  projectRowId: string;
  objectId: string;
  digest: string;
  versionIndex: number;
  createdAt: Date;
  deletedAt: Date | null;
  kind: string;
  baseObjectClass: string | null;
  leafObjectClass: string | null;
  svcUserId: string;
  val: StoredValue;
}

/** A version on its way into the database. */
export interface ObjectVersionDraft extends ObjectContent {
  objectId: string;
  svcUserId: string;
}

/** Which versions are meant; a condition that is absent: any. */
export interface VersionFilter {
  readonly kind?: 'object' | 'op';
  readonly baseObjectClass?: string;
}

/** Whether a version is one of those that are meant. */
export const isMeant = (
  version: Pick<ObjectVersionRecord, 'kind' | 'baseObjectClass'>,
  { kind, baseObjectClass }: VersionFilter,
): boolean =>
  (kind === undefined || version.kind === kind) &&
  (baseObjectClass === undefined || version.baseObjectClass === baseObjectClass);

/** What an answer says of a version that it does not show. */
export interface VersionSummary {
  digest: string;
  baseObjectClass: string | null;
  leafObjectClass: string | null;
}
