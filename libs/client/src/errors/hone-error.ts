import type { Issue } from '@hone/contracts';
import { HoneError } from '@hone/contracts/csv';

export { HoneError };

/** No answer came: the server is unreachable, or the connection broke. `cause` has the details. */
export class ConnectionError extends HoneError {
  override name = 'ConnectionError';
}

/** No answer came within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** What the server said, in its own words. */
export interface ErrorAnswer {
  readonly status: number;
  /** Stable, for example `job.not_found`; of a 422 the kind of its first mistake. */
  readonly code: string;
  /** A sentence, or the list of what is wrong with the request. */
  readonly detail: string | readonly Issue[];
  /** Names the request in the server's log. Null: the server gave none. */
  readonly requestId: string | null;
  /** Milliseconds after which a repetition makes sense. Null: the server did not say. */
  readonly retryAfterMs: number | null;
}

/** The server refused the request, or failed. */
export class AnswerError extends HoneError implements ErrorAnswer {
  override name = 'AnswerError';
  readonly status: number;
  readonly code: string;
  readonly detail: string | readonly Issue[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(request: string, answer: ErrorAnswer) {
    super(`${request} answered ${answer.status}: ${sentenceOf(answer.detail)}`);
    this.status = answer.status;
    this.code = answer.code;
    this.detail = answer.detail;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** 401: no key, or one that is not valid. */
export class AuthenticationError extends AnswerError {
  override name = 'AuthenticationError';
}
/** 402 or 403: the key may not do this. */
export class PermissionError extends AnswerError {
  override name = 'PermissionError';
}
/** 404: there is no such thing. */
export class NotFoundError extends AnswerError {
  override name = 'NotFoundError';
}
/** 409 or 412: the state of the thing does not allow it. */
export class ConflictError extends AnswerError {
  override name = 'ConflictError';
}
/** 400, 413, 415 or 422: something is wrong with the request; `detail` says what and where. */
export class InvalidRequestError extends AnswerError {
  override name = 'InvalidRequestError';
}
/** 429: too much at once; `retryAfterMs` says when to come back. */
export class RateLimitError extends AnswerError {
  override name = 'RateLimitError';
}
/** 500 and above: the server failed, or an upstream of it. */
export class ServerError extends AnswerError {
  override name = 'ServerError';
}

const sentenceOf = (detail: string | readonly Issue[]): string =>
  typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
