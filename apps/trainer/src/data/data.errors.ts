import { EngineError } from '@hone/engine';

/** The data of a job is wrong, or cannot be fetched. */
export abstract class DataError extends EngineError {
  constructor(
    code: string,
    message: string,
    /** What to do about it. */
    readonly hint: string | null,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
  }
}

/** The training data is beyond a limit. */
export class DataTooLargeError extends DataError {
  constructor(what: string) {
    super('data.too_large', `The training data has ${what}.`, 'Train on it in several jobs.');
  }
}

/** The bytes of a stored input are not those that were stored. */
export class StoredDataDamagedError extends DataError {
  constructor() {
    super('storage.corrupt', 'The stored input of the job is damaged.', 'Send the job again.');
  }
}

/** An artifact version has no file, or several, that could hold the training data. */
export class ArtifactFileError extends DataError {
  constructor(files: readonly string[]) {
    super(
      'data.artifact_file',
      `The artifact has ${files.length} files, and none of them is the training data for sure.`,
      'Name it train.jsonl, or let it be the only *.jsonl.',
    );
  }
}

/** The artifact version that the job was created with is deleted. */
export class ArtifactGoneError extends DataError {
  constructor() {
    super('data.artifact_gone', 'The artifact version was deleted.', 'Upload the data again.');
  }
}

/** The trainer may not download from this address. */
export class UrlForbiddenError extends DataError {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      'data.url_forbidden',
      `The training data may not be fetched: ${reason}.`,
      'Upload it as an artifact.',
      options,
    );
  }
}

/** The other server refuses the request. */
export class UrlRefusedError extends DataError {
  constructor(status: number) {
    super('data.url_refused', `The server of the training data answers ${status}.`, 'Check the address.');
  }
}

/** The answer of the other server cannot be decompressed. */
export class DataEncodingError extends DataError {
  constructor(reason: string, options?: ErrorOptions) {
    super('data.encoding', `The training data cannot be unpacked: ${reason}.`, 'Send it plain or as gzip.', options);
  }
}

/** The other server is unreachable, too slow, fails, or breaks the connection. */
export class UrlUnavailableError extends DataError {
  constructor(reason: string, options?: ErrorOptions) {
    super('data.unavailable', `The training data could not be fetched: ${reason}.`, null, options);
  }
}
