import { DomainError } from '@hone/platform';

/** The store is full (`storage.full`), read-only or gone (`storage.unavailable`). Nothing was stored. Retry. */
export class StorageUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  override readonly headers = { 'retry-after': '5' };
  constructor(
    readonly code: 'storage.full' | 'storage.unavailable',
    cause?: unknown,
  ) {
    super(code === 'storage.full' ? 'The artifact store is full.' : 'The artifact store is not available.', { cause });
  }
}

/** More bytes than the caller allows. Nothing was stored. */
export class ArtifactTooLargeError extends DomainError {
  readonly kind = 'too_large';
  readonly code = 'limit.artifact_too_large';
  constructor(maxBytes: number) {
    super(`The artifact is over the limit of ${maxBytes} bytes.`);
  }
}

abstract class StoredFileError extends DomainError {
  readonly kind = 'internal';
  constructor(
    message: string,
    readonly uri: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** A database row references the file, and it is missing. */
export class StoredFileMissingError extends StoredFileError {
  readonly code = 'storage.missing';
  constructor(uri: string, cause?: unknown) {
    super('A stored file is missing.', uri, cause);
  }
}

/** The file's SHA-256 is not the recorded one. */
export class StoredFileCorruptError extends StoredFileError {
  readonly code = 'storage.corrupt';
  constructor(uri: string) {
    super('A stored file is damaged.', uri);
  }
}
