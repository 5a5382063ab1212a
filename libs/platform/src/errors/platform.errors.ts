import { DomainError } from './domain-error.js';

/** No route has this path. */
export class RouteNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'route.not_found';
  constructor() {
    super('There is nothing at this path.');
  }
}

/** The path has routes, none with this method. */
export class MethodNotAllowedError extends DomainError {
  static override readonly kind = 'method_not_allowed';
  static override readonly code = 'route.method';
  override readonly headers: Record<string, string>;
  constructor(method: string, allowed: string[]) {
    super(`This path does not take ${method}; it takes ${allowed.join(', ')}.`);
    this.headers = { allow: allowed.join(', ') };
  }
}

/** The headers or the body did not arrive in time. The connection is closed. */
export class RequestTimeoutError extends DomainError {
  static override readonly kind = 'timeout';
  static override readonly code = 'request.timeout';
  constructor() {
    super('The request did not come in time.');
  }
}

/** The unpacked body is over the service's limit. */
export class BodyTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'limit.body_too_large';
  constructor(limitBytes: number) {
    super(`The request body is over the limit of ${limitBytes} bytes.`);
  }
}

/** A `Content-Encoding` other than gzip. */
export class EncodingUnsupportedError extends DomainError {
  static override readonly kind = 'unsupported';
  static override readonly code = 'request.encoding_unsupported';
  constructor(encoding: string) {
    super(`Content-Encoding '${encoding.slice(0, 64)}' is not supported; send gzip or none.`);
  }
}

/** A token bucket is empty. Retry after the seconds that `Retry-After` says. */
export class RateLimitedError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'rate.limited';
  override readonly headers: Record<string, string>;
  constructor(retryAfterSeconds: number) {
    super(`Too many requests; try again in ${retryAfterSeconds} s.`);
    this.headers = { 'retry-after': String(retryAfterSeconds) };
  }
}

/** Postgres does not answer; nothing was stored. Retry. */
export class DatabaseUnavailableError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'database.unavailable';
  override readonly headers = { 'retry-after': '1' };
  constructor(cause?: unknown) {
    super('The database is not available.', { cause });
  }
}

/** The disk of the database is full; nothing was stored. Retry once there is space. */
export class DatabaseFullError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'storage.full';
  override readonly headers = { 'retry-after': '5' };
  constructor(cause?: unknown) {
    super('The disk of the database is full.', { cause });
  }
}

/** A query ran into its time limit. Not a 5xx: clients would repeat it for hours. */
export class QueryTimeoutError extends DomainError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'query.timeout';
  constructor(cause?: unknown) {
    super('The query took longer than its time limit; narrow it down.', { cause });
  }
}

/** A bug of ours; the log has the rest under the request id. */
export class InternalError extends DomainError {
  static override readonly kind = 'internal';
  static override readonly code = 'server.internal';
  constructor(requestId: string, cause?: unknown) {
    super(`Something went wrong on our side (request ${requestId}).`, { cause });
  }
}

/** `Idempotency-Key` is not 1..255 visible ASCII characters. */
export class IdempotencyKeyInvalidError extends DomainError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'idempotency.key_invalid';
  constructor() {
    super('Idempotency-Key should be 1 to 255 visible ASCII characters.');
  }
}

/** The key was used with another body. */
export class IdempotencyKeyReusedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'idempotency.key_reused';
  constructor(key: string) {
    super(`Idempotency-Key '${key}' was used with another body.`);
  }
}

/** The first request with the key is still running. Retry after the seconds that `Retry-After` says. */
export class IdempotencyInProgressError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'idempotency.in_progress';
  override readonly headers = { 'retry-after': '1' };
  constructor(key: string) {
    super(`The first request with Idempotency-Key '${key}' is still running.`);
  }
}
