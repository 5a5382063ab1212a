import { DomainError } from '@hone/platform';

/** The store is read-only or gone. Nothing was stored. Retry. */
export class StorageUnavailableError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code: string = 'storage.unavailable';
  override readonly headers = { 'retry-after': '5' };
  constructor(cause?: unknown, message = 'The artifact store is not available.') {
    super(message, { cause });
  }
}

/** The store is full. Nothing was stored. Retry. */
export class StorageFullError extends StorageUnavailableError {
  static override readonly code = 'storage.full';
  constructor(cause?: unknown) {
    super(cause, 'The artifact store is full.');
  }
}

/** More bytes than the caller allows. Nothing was stored. */
export class ArtifactTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'limit.artifact_too_large';
  constructor(maxBytes: number) {
    super(`The artifact is over the limit of ${maxBytes} bytes.`);
  }
}

abstract class StoredFileError extends DomainError {
  static override readonly kind = 'internal';
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
  static override readonly code = 'storage.missing';
  constructor(uri: string, cause?: unknown) {
    super('A stored file is missing.', uri, cause);
  }
}

/** The file's SHA-256 is not the recorded one. */
export class StoredFileCorruptError extends StoredFileError {
  static override readonly code = 'storage.corrupt';
  constructor(uri: string) {
    super('A stored file is damaged.', uri);
  }
}
