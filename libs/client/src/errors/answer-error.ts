import type { Issue } from '@hone/contracts';

import {
  AnswerError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './hone-error.js';

const MAX_TEXT_CHARACTERS = 500;

type ErrorClass = new (...parameters: ConstructorParameters<typeof AnswerError>) => AnswerError;

const CLASSES: Readonly<Record<number, ErrorClass>> = {
  ...{ 400: InvalidRequestError, 413: InvalidRequestError, 415: InvalidRequestError, 422: InvalidRequestError },
  ...{ 401: AuthenticationError, 402: PermissionError, 403: PermissionError, 404: NotFoundError },
  ...{ 409: ConflictError, 412: ConflictError, 429: RateLimitError },
};

/** The error that an answer stands for, whatever its body is: a proxy in between may answer in HTML. */
export async function toAnswerError(request: string, response: Response): Promise<AnswerError> {
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  const detail = detailOf(body) ?? (text.slice(0, MAX_TEXT_CHARACTERS) || response.statusText);
  const code = textOf(body['code']) ?? codeOf(body['error']) ?? (typeof detail === 'string' ? '' : detail[0]?.type);
  const ErrorOfStatus = CLASSES[response.status] ?? (response.status >= 500 ? ServerError : AnswerError);
  return new ErrorOfStatus(request, {
    status: response.status,
    detail,
    code: code ?? '',
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: toMilliseconds(response.headers.get('retry-after')),
  });
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The code in the form of clients of OpenAI. */
const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? textOf((error as { code?: unknown }).code) : undefined;

function detailOf({ detail }: Record<string, unknown>): string | Issue[] | undefined {
  if (Array.isArray(detail) && detail.every((issue: Partial<Issue> | null) => Array.isArray(issue?.loc)))
    return detail as Issue[];
  return textOf(detail);
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function toMilliseconds(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}
