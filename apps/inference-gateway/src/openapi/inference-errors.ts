import { InferenceErrorDto, schemaRef } from '@hone/contracts';
import { type DomainErrorClass, statusOf } from '@hone/platform';
import type { Type } from '@nestjs/common';

import { ResponseNotFoundError } from '../call-log/call-log.errors.js';
import { InvalidHeaderError } from '../call-log/log-headers.js';
import { ModelNotFoundError, ModelOfOtherKindError, PromptTooLongError } from '../catalogue/models/models.errors.js';
import {
  CheckpointDamagedError,
  ModelNotServedError,
  ModelUnavailableError,
  TooManyLookupsError,
} from '../catalogue/trained/trained.errors.js';
import { OWN_FAILURES, UPSTREAM_REJECTED } from '../dispatch/answer/answer-failure.js';
import { FAULT_TABLE } from '../dispatch/policy/fault-table.js';
import { BodyOverLimitError, BodyTimeoutError, CodingUnsupportedError } from '../http/body.errors.js';
import {
  AuthenticationFailedError,
  ConsoleHeaderMissingError,
  MethodNotTakenError,
  PathNotFoundError,
  ScopeMissingError,
  TooManyFailuresError,
} from '../http/http.errors.js';
import { LIMIT_ERRORS, LimitsUnavailableError } from '../metering/limits/limits.errors.js';
import { ProjectForbiddenError } from '../metering/projects/usage-projects.errors.js';
import { MeteringUnavailableError } from '../metering/recording/metering.errors.js';
import { GatewayFaultError } from '../shared/errors/gateway-error.js';
import { PromptNotFoundError } from '../shared/errors/prompts.errors.js';
import { DatabaseDiskFullError, DatabaseDownError, ServerStoppingError } from '../shared/errors/unavailable.errors.js';

/** Errors that are raised as such. A spec finds those that are missing. */
export const RAISED: readonly (DomainErrorClass & { readonly name: string })[] = [
  AuthenticationFailedError,
  BodyOverLimitError,
  BodyTimeoutError,
  CheckpointDamagedError,
  CodingUnsupportedError,
  ConsoleHeaderMissingError,
  DatabaseDiskFullError,
  DatabaseDownError,
  GatewayFaultError,
  InvalidHeaderError,
  LimitsUnavailableError,
  MeteringUnavailableError,
  MethodNotTakenError,
  ModelNotFoundError,
  ModelNotServedError,
  ModelOfOtherKindError,
  ModelUnavailableError,
  PathNotFoundError,
  ProjectForbiddenError,
  PromptNotFoundError,
  PromptTooLongError,
  ResponseNotFoundError,
  ScopeMissingError,
  ServerStoppingError,
  TooManyFailuresError,
  TooManyLookupsError,
];

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The prompt is too long, or the upstream refused it.',
  401: 'The key is missing or wrong.',
  402: 'The budget of the day or of the month is spent.',
  403: 'The key lacks the scope, or may not use the project.',
  404: 'There is no such model, prompt or response.',
  405: 'The path has no such method.',
  408: 'The body did not arrive in time.',
  413: 'The body is too large.',
  415: 'The content coding is not supported.',
  422: 'The request is not valid, or no target can honour it; `detail` lists `{loc, msg, type}`.',
  429: 'A limit is reached.',
  500: 'A fault of the gateway, or a constraint that leaves no token.',
  502: 'The upstream failed.',
  503: 'Nothing can answer at the moment.',
  504: 'The upstream took too long.',
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
};

/** Codes by status: of errors that are raised, of upstreams' faults, and of the gateway's own after the dispatch. */
function codesByStatus(): ReadonlyMap<number, ReadonlySet<string>> {
  const codes = new Map<number, Set<string>>();
  const add = (status: number, code: string) => codes.set(status, (codes.get(status) ?? new Set()).add(code));
  for (const { kind, code } of [...RAISED, ...LIMIT_ERRORS]) add(statusOf(kind), code);
  for (const { status, code } of Object.values(FAULT_TABLE)) if (status !== null && code !== null) add(status, code);
  for (const [code, status] of Object.entries(OWN_FAILURES)) add(status, code);
  add(400, UPSTREAM_REJECTED);
  return codes;
}

/** Response objects of the OpenAPI document for these statuses. */
export function errorResponses(statuses: readonly number[], type: Type = InferenceErrorDto): Record<number, object> {
  const codes = codesByStatus();
  return Object.fromEntries(
    statuses.map((status) => {
      const listed = [...(codes.get(status) ?? [])].sort().map((code) => `\`${code}\``);
      const headers = status === 429 || status === 503 ? { headers: RETRY_AFTER } : {};
      const content = { 'application/json': { schema: schemaRef(type) } };
      return [status, { description: `${DESCRIPTIONS[status]} Codes: ${listed.join(', ')}.`, ...headers, content }];
    }),
  );
}
