import { EngineError } from '@hone/engine';

/** What is wrong with the data of a job, or with how it can be had. */
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

/** A stored input is not what was stored. */
export class StoredDataDamagedError extends DataError {
  constructor() {
    super('storage.corrupt', 'The stored input of the job is damaged.', 'Send the job again.');
  }
}

/** An artifact version has no file that could be meant. */
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

/** The server may not be asked for this. */
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

/** The other server refuses. */
export class UrlRefusedError extends DataError {
  constructor(status: number) {
    super('data.url_refused', `The server of the training data answers ${status}.`, 'Check the address.');
  }
}

/** What the other server sends cannot be unpacked. */
export class DataEncodingError extends DataError {
  constructor(reason: string, options?: ErrorOptions) {
    super('data.encoding', `The training data cannot be unpacked: ${reason}.`, 'Send it plain or as gzip.', options);
  }
}

/** The other server cannot be reached, breaks off, is too slow or has trouble of its own. */
export class UrlUnavailableError extends DataError {
  constructor(reason: string, options?: ErrorOptions) {
    super('data.unavailable', `The training data could not be fetched: ${reason}.`, null, options);
  }
}
