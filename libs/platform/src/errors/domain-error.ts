/** What kind of thing went wrong; the error filter turns it into a status. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'timeout'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'rate_limited'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable'
  | 'gateway_timeout';

const STATUS: Record<ErrorKind, number> = {
  bad_request: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
  gateway_timeout: 504,
};

/** The status with which a kind of error is answered. */
export const statusOf = (kind: ErrorKind): number => STATUS[kind];

/** A concrete class of errors; the OpenAPI document takes status and code from it. */
export interface DomainErrorClass {
  readonly kind: ErrorKind;
  readonly code: string;
}

/** What of an error is answered. */
export interface Refusal {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly headers: Record<string, string>;
}

/**
 * A failure that a caller can meet, answered as `{"detail": message, "code": code}`, unless its surface has a `body` of
 * another form. The message names the offending value and the limit, never SQL, paths or stack traces.
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

  /** The JSON of the answer. */
  get body(): object {
    return { detail: this.message, code: this.code };
  }

  /** The error as it travels between threads. */
  toRefusal(): Refusal {
    const { kind, code, message, headers } = this;
    return { kind, code, message, headers };
  }

  /** The same error for item `index` of a batch. */
  inBatch(index: number): this {
    this.message = `batch[${index}]: ${this.message}`;
    return this;
  }
}

/** An error of another thread. */
export class RefusedError extends DomainError {
  override readonly headers: Record<string, string>;

  constructor(private readonly refusal: Refusal) {
    super(refusal.message);
    this.headers = refusal.headers;
  }

  override get kind(): ErrorKind {
    return this.refusal.kind;
  }

  override get code(): string {
    return this.refusal.code;
  }
}
