/** What kind of thing went wrong; the error filter turns it into a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

const STATUS: Record<ErrorKind, number> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

/** The status with which a kind of error is answered. */
export const statusOf = (kind: ErrorKind): number => STATUS[kind];

/** A concrete class of errors; the OpenAPI document takes status and code from it. */
export interface DomainErrorClass {
  readonly kind: ErrorKind;
  readonly code: string;
}

/**
 * A failure that a caller can meet, answered as `{"detail": message, "code": code}`. The message names the offending
 * value and the limit, never SQL, paths or stack traces.
 */
export abstract class DomainError extends Error {
  static readonly kind: ErrorKind;
  /** `<area.reason>`, stable. */
  static readonly code: string;
  /** Headers that the answer carries, for example `Retry-After`. */
  readonly headers: Record<string, string> = {};

  get kind(): ErrorKind {
    return (this.constructor as unknown as DomainErrorClass).kind;
  }

  get code(): string {
    return (this.constructor as unknown as DomainErrorClass).code;
  }

  /** The same error for item `index` of a batch. */
  inBatch(index: number): this {
    this.message = `batch[${index}]: ${this.message}`;
    return this;
  }
}
