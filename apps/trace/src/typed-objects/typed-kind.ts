import type { JsonValue } from '@hone/contracts';
import type { DomainError, DomainErrorClass } from '@hone/platform';

import type { VersionFilter } from '../objects/object.record.js';

/** A kind of typed objects: how its versions are told from others, and how they read. */
export interface TypedKind<Version extends object> {
  /** What one is called, for example `model`; also the id of an object whose name leaves nothing. */
  readonly noun: string;
  readonly only: VersionFilter;
  readonly notFound: DomainErrorClass & (new (message: string) => DomainError);
  readonly toVersion: (version: TypedVersionParts) => Version;
}

/** A version as it is stored, with the source code that it names. */
export interface TypedVersionParts {
  head: VersionHead;
  val: Readonly<Record<string, JsonValue | undefined>>;
  /** Text of the file `obj.py`; empty when there is none. */
  sourceCode: string;
}

/** What versions of every kind answer. */
export interface VersionHead {
  object_id: string;
  digest: string;
  version_index: number;
  created_at: string;
  name: string;
  description: string | null;
}

/** A text of a stored value; null when there is none there. */
export const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
