import type { JsonValue } from '@hone/contracts';
import type { VersionFilter } from '@hone/objects';
import type { DomainError, DomainErrorClass } from '@hone/platform';

/** A kind of typed objects: how its versions are told from others, and how they read. */
export interface TypedKind {
  /** What one is called, for example `model`; also the id of an object whose name leaves nothing. */
  readonly noun: string;
  readonly only: VersionFilter;
  readonly notFound: DomainErrorClass & (new (message: string) => DomainError);
  /** Name under which a version answers the text of its file `obj.py`; absent: it does not. */
  readonly sourceField?: string;
  /** What versions answer beside what those of every kind do. */
  readonly toFields: (val: StoredVal) => object;
}

/** The value of a version. Other endpoints may have stored anything there. */
export type StoredVal = Readonly<Record<string, JsonValue | undefined>>;

/** A text of a stored value; null when there is none there. */
export const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === 'string' ? value : null);
