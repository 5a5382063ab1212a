/** The record is not safe: the disk is full, gone or read-only. Nothing may be acknowledged that needed it. */
export class JournalUnwritableError extends Error {
  readonly code = 'metering_unavailable';

  constructor(cause?: unknown) {
    super('The usage journal cannot be written.', { cause });
  }
}
