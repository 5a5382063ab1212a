/** The record is not stored: the disk is full, gone or read-only. A request that needs it must not be acknowledged. */
export class JournalUnwritableError extends Error {
  readonly code = 'metering_unavailable';

  constructor(cause?: unknown) {
    super('The usage journal cannot be written.', { cause });
  }
}
