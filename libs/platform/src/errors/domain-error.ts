/** What kind of thing went wrong; the error filter turns it into a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

/**
 * A failure that a caller can meet, answered as `{"detail": message, "code": code}`. The message names the offending
 * value and the limit, never SQL, paths or stack traces.
 */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  /** `<area.reason>`, stable. */
  abstract readonly code: string;
  /** Headers that the answer carries, for example `Retry-After`. */
  readonly headers: Record<string, string> = {};

  /** The same error for item `index` of a batch. */
  inBatch(index: number): this {
    this.message = `batch[${index}]: ${this.message}`;
    return this;
  }
}
