import { DomainError } from '@hone/platform';

/** The project has no such object, or the object no such version. */
export class ObjectNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'object.not_found';

  private constructor(message: string) {
    super(message);
  }

  static noVersions(objectId: string, projectId: string): ObjectNotFoundError {
    return new ObjectNotFoundError(`'${objectId}' in '${projectId}' has no versions.`);
  }

  static noVersion(objectId: string, projectId: string, selector: string): ObjectNotFoundError {
    return new ObjectNotFoundError(`'${objectId}' in '${projectId}' has no version '${selector}'.`);
  }
}

/** The version was deleted. */
export class ObjectDeletedError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'object.deleted';
  constructor(
    objectId: string,
    digest: string,
    readonly deletedAt: Date,
  ) {
    super(`Version '${digest}' of '${objectId}' was deleted at ${deletedAt.toISOString()}.`);
  }
}

/** The client expected another digest than the value has. */
export class DigestMismatchError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'object.digest_mismatch';
  constructor(expected: string, actual: string) {
    super(`The digest of the value is '${actual}', not '${expected.slice(0, 128)}'.`);
  }
}

/** A live version of this name is of another class. */
export class TypeCollisionError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'object.type_collision';
  /** @param existing base classes of the live versions, and `wanted` of the new one; null: none */
  constructor(
    readonly objectId: string,
    readonly versionKind: 'object' | 'op',
    readonly existing: string | null,
    readonly wanted: string | null,
  ) {
    super(`'${objectId}' has versions of class ${quoted(existing)}; this one is of class ${quoted(wanted)}.`);
  }
}

/** An owner has protected the alias: it neither moves nor goes. */
export class AliasProtectedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'alias.protected';
  constructor(alias: string, objectId: string) {
    super(`Alias '${alias}' of '${objectId}' is protected; an owner can change that.`);
  }
}

const quoted = (name: string | null): string => (name === null ? 'none' : `'${name}'`);
