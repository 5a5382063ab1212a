import type { Issue } from '@hone/contracts';

import { boundIssues, cutText } from './error-bounds.js';
import { NO_RETRY } from './retry-headers.js';

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'insufficient_quota'
  | 'rate_limit_error'
  | 'server_error'
  | 'upstream_error'
  | 'overloaded_error';

interface Details {
  /** Response headers beside the usual ones, lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of the wrong field; null: none. */
  readonly param?: string | null;
}

/** An error of the inference API: `detail` for clients of Hone, `error` for clients of OpenAI. */
export class GatewayError extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly param: string | null;

  constructor(
    readonly status: number,
    readonly type: ErrorType,
    readonly code: string,
    message: string,
    { headers = {}, param = null }: Details = {},
  ) {
    super(message);
    this.headers = headers;
    this.param = param;
  }

  /** The JSON body. */
  get body(): object {
    const { message, type, param, code } = this;
    return { detail: message, error: { message, type, param, code } };
  }
}

const MAX_TEXT = 200;

/** The request is wrong: 422 with the paths of the wrong fields. */
export class InvalidRequestError extends GatewayError {
  private readonly detail: readonly Issue[];

  /** @param issues at least one; `loc` begins with `body` or `path` */
  constructor(issues: readonly Issue[]) {
    const { message, param, detail } = boundIssues(issues);
    super(422, 'invalid_request_error', (issues[0] as Issue).type, message, { headers: NO_RETRY, param });
    this.detail = detail;
  }

  override get body(): object {
    return { ...super.body, detail: this.detail };
  }
}

/** The key is missing, malformed, unknown, expired or revoked: one message for all cases. */
export const authenticationFailed = () =>
  new GatewayError(401, 'authentication_error', 'invalid_api_key', 'Authentication failed', {
    headers: { 'www-authenticate': 'Bearer realm="hone"', ...NO_RETRY },
  });

export const scopeMissing = () =>
  new GatewayError(403, 'permission_error', 'scope_missing', "This key lacks the scope 'inference'.", {
    headers: NO_RETRY,
  });

/** The cookie of a session alone: another site may have made the request. */
export const consoleHeaderMissing = () =>
  new GatewayError(
    403,
    'permission_error',
    'console_header_missing',
    'A request with the cookie of a session, unless it is a GET, needs the header X-Hone-Console: 1.',
    { headers: NO_RETRY },
  );

/** The model does not exist, or the caller may not read it: one message for both. */
export const modelNotFound = (model: string) =>
  new GatewayError(
    404,
    'invalid_request_error',
    'model_not_found',
    `There is no model '${cutText(model, MAX_TEXT)}'.`,
    {
      param: 'model',
    },
  );

export const bodyTooLarge = (limitBytes: number) =>
  new GatewayError(413, 'invalid_request_error', 'body_too_large', `The body is larger than ${limitBytes} bytes.`, {
    headers: { connection: 'close' },
  });

export const encodingUnsupported = () =>
  new GatewayError(
    415,
    'invalid_request_error',
    'unsupported_encoding',
    'The content coding should be gzip, deflate, br or none.',
  );

export const bodyTimeout = () =>
  new GatewayError(408, 'invalid_request_error', 'request_timeout', 'The body did not come in time.', {
    headers: { connection: 'close' },
  });

export const routeNotFound = () =>
  new GatewayError(404, 'invalid_request_error', 'not_found', 'There is nothing at this path.');

export const methodNotAllowed = (allowed: readonly string[]) =>
  new GatewayError(405, 'invalid_request_error', 'method_not_allowed', 'This path has no such method.', {
    headers: { allow: allowed.join(', ') },
  });

export const internalError = () =>
  new GatewayError(500, 'server_error', 'internal_error', 'Something went wrong in the gateway.');

/** The caller left before its request was read, so there is no response. */
export class CallerLeftError extends Error {
  constructor() {
    super('The caller has left.');
  }
}
