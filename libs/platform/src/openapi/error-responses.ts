import { ErrorDto, schemaRef, ValidationErrorDto } from '@hone/contracts';

import { type DomainErrorClass, statusOf } from '../errors/domain-error.js';
import {
  BodyTooLargeError,
  DatabaseUnavailableError,
  EncodingUnsupportedError,
  InternalError,
  RequestTimeoutError,
} from '../errors/platform.errors.js';
import { refusalsOf } from '../errors/refuses.decorator.js';
import {
  answerOf,
  bodyClass,
  filtersOf,
  hasPathParameters,
  ownErrorsOf,
  queryClass,
  type RouteHandler,
  streamsBody,
} from './route-handlers.js';

/** A response object of OpenAPI. */
export type ErrorResponse = Record<string, unknown>;

/** What every handler can run into, and what those with a body can. */
const ANYWHERE = [InternalError, DatabaseUnavailableError];
const WITH_BODY = [RequestTimeoutError, BodyTooLargeError, EncodingUnsupportedError];

/** The responses of a handler other than its answer, by status: each lists the codes that a caller can meet. */
export function errorResponses(route: RouteHandler): Record<number, ErrorResponse> {
  const own = ownErrorsOf(route);
  if (own) return own.responses as Record<number, ErrorResponse>;
  const hasBody = bodyClass(route) !== undefined || streamsBody(route);
  const errors: DomainErrorClass[] = [
    ...ANYWHERE,
    ...(hasBody ? WITH_BODY : []),
    ...filtersOf(route).flatMap(refusalsOf),
    ...(answerOf(route)?.errors ?? []),
  ];
  const codes = new Map<number, Set<string>>();
  for (const { kind, code } of errors) {
    const status = statusOf(kind);
    codes.set(status, (codes.get(status) ?? new Set()).add(code));
  }
  const responses: Record<number, ErrorResponse> = {};
  for (const [status, found] of codes) responses[status] = responseOf(status, [...found].sort());
  if (hasBody || queryClass(route) || hasPathParameters(route)) responses[422] = UNPROCESSABLE;
  return responses;
}

const responseOf = (status: number, codes: readonly string[]): ErrorResponse => ({
  description: `${DESCRIPTIONS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  ...(HEADERS[status] && { headers: HEADERS[status] }),
  content: {
    'application/json': { schema: { allOf: [schemaRef(ErrorDto)], properties: { code: { enum: codes } } } },
  },
});

const UNPROCESSABLE: ErrorResponse = {
  description: 'The request is not valid: `detail` lists what is wrong and where.',
  content: { 'application/json': { schema: schemaRef(ValidationErrorDto) } },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
};
const HEADERS: Record<number, object> = {
  401: { 'WWW-Authenticate': { description: 'Schemes that the service takes.', schema: { type: 'string' } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const DESCRIPTIONS: Record<number, string> = {
  400: 'A header is not valid, or the query ran into its time limit.',
  401: 'Credentials are missing or not valid.',
  403: 'The role is too low, the key lacks a scope, or there is no access.',
  404: 'What the request names does not exist.',
  408: 'The body did not arrive in time.',
  409: 'The request contradicts what is stored.',
  413: 'The body, or a value in it, is too large.',
  415: 'The content type or coding is not supported.',
  429: 'Too many requests.',
  500: 'A fault of the server; its log has the details under the request id.',
  503: 'A dependency is unavailable, or the server is overloaded. Nothing was stored.',
};
