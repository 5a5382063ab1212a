import { GatewayError } from '../shared/errors/gateway-error.js';
import { NO_RETRY, retryAfter } from '../shared/errors/retry-headers.js';

/** The key is missing, malformed, unknown, expired or revoked: one message for all cases. */
export class AuthenticationFailedError extends GatewayError {
  static override readonly kind = 'unauthenticated';
  static override readonly code = 'invalid_api_key';
  constructor() {
    super('Authentication failed', { headers: { 'www-authenticate': 'Bearer realm="hone"', ...NO_RETRY } });
  }
}

export class ScopeMissingError extends GatewayError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'scope_missing';
  constructor() {
    super("This key lacks the scope 'inference'.", { headers: NO_RETRY });
  }
}

/** The cookie of a session alone: another site may have made the request. */
export class ConsoleHeaderMissingError extends GatewayError {
  static override readonly kind = 'forbidden';
  static override readonly code = 'console_header_missing';
  constructor() {
    super('A request with the cookie of a session, unless it is a GET, needs the header X-Hone-Console: 1.', {
      headers: NO_RETRY,
    });
  }
}

/** Keys are guessed from this address, or with this prefix. */
export class TooManyFailuresError extends GatewayError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'rate_limit_requests';
  constructor(waitSeconds: number) {
    super('Too many failed attempts.', { headers: retryAfter(waitSeconds * 1_000) });
  }
}

export class PathNotFoundError extends GatewayError {
  static override readonly kind = 'not_found';
  static override readonly code = 'not_found';
  constructor() {
    super('There is nothing at this path.');
  }
}

export class MethodNotTakenError extends GatewayError {
  static override readonly kind = 'method_not_allowed';
  static override readonly code = 'method_not_allowed';
  /** @param allow methods that the path takes, as the header has them */
  constructor(allow: string) {
    super('This path has no such method.', { headers: { allow } });
  }
}
