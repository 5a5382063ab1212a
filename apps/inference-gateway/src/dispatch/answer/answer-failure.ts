import { errorBody, errorTypeOf } from '../../shared/errors/gateway-error.js';
import { NO_RETRY, RETRY, retryAfter, type RetryHeaders } from '../../shared/errors/retry-headers.js';
import type { TargetFailure } from '../../targets/target-failure.js';
import { FAULT_TABLE } from '../policy/fault-table.js';

/** The error that a request ends with. */
export interface AnswerFailure {
  /** For an answer that has not begun. */
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** Lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `detail` list of a 422, if an upstream gave one in our form. */
  readonly detail: readonly unknown[] | null;
  /** `error.code` in a stream of which something was forwarded. */
  readonly streamCode: string;
}

/** Failures of the gateway itself: `error.code` -> status. */
export const OWN_FAILURES = {
  metering_unavailable: 503,
  no_healthy_target: 503,
  overloaded: 503,
  unsupported_parameter: 422,
  upstream_timeout: 504,
} as const;

/** `error.code` of a rejection to which the upstream gave none. */
export const UPSTREAM_REJECTED = 'upstream_rejected';

export function ownFailure(code: keyof typeof OWN_FAILURES, message: string, retryAfterMs?: number): AnswerFailure {
  const status = OWN_FAILURES[code];
  const headers = { ...retryHeaders(status), ...(retryAfterMs === undefined ? {} : retryAfter(retryAfterMs)) };
  return { status, type: errorTypeOf(status), code, message, param: null, headers, detail: null, streamCode: code };
}

/**
 * One error for several failed attempts: the last one, but an upstream's fault rather than a later rejection of the
 * request, with the longest `Retry-After` of all.
 *
 * @param failures at least one, in order
 * @param fallbackMs `Retry-After` when no upstream gave one, in milliseconds
 */
export function summariseFailures(failures: readonly TargetFailure[], fallbackMs: number): AnswerFailure {
  const last = failures.at(-1) as TargetFailure;
  const isRejection = last.reason === 'rejected' || last.reason === 'context_length';
  const upstreamFault = isRejection ? failures.findLast(isUpstreamFault) : undefined;
  const shown = upstreamFault ?? last;
  const fault = FAULT_TABLE[shown.reason];
  const status = fault.status ?? (shown.upstreamStatus === 422 ? 422 : 400);
  const headers: Record<string, string> = { ...retryHeaders(status) };
  if (shown.upstreamStatus !== undefined) headers['hone-upstream-status'] = String(shown.upstreamStatus);
  if (status === 429 || status === 503) {
    const asked = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
    Object.assign(headers, retryAfter(asked.length > 0 ? Math.max(...asked) : fallbackMs));
  }
  return {
    status,
    type: errorTypeOf(status),
    code: fault.code ?? shown.code ?? UPSTREAM_REJECTED,
    message: shown.message,
    param: shown.param ?? null,
    headers,
    detail: shown.detail ?? null,
    streamCode: fault.streamCode,
  };
}

/** The upstream failed; it did not reject the request. */
export function isUpstreamFault({ reason }: TargetFailure): boolean {
  const { health, status } = FAULT_TABLE[reason];
  return health !== 'none' || status === 502;
}

/** The frame that ends a failed stream: an error, never followed by `[DONE]`. */
export const failureFrame = (failure: AnswerFailure): Buffer =>
  Buffer.from(`data: ${JSON.stringify(errorBody({ ...failure, param: null }, failure.message))}\n\n`);

/** OpenAI's SDKs would otherwise retry what cannot succeed, or give up on what can. */
function retryHeaders(status: number): RetryHeaders {
  if (status === 503) return RETRY;
  return status < 429 || status === 504 ? NO_RETRY : {};
}
