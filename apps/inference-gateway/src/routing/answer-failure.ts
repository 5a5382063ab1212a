import type { TargetFailure } from '../upstreams/target-failure.js';
import { writeFrame } from '../upstreams/stream/sse-frame.js';

import { FAULTS } from './faults.js';

/** Why a request has no answer, as its caller is told. */
export interface AnswerFailure {
  /** For an answer that has not begun. */
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** Lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Our form of a 422's places, if an upstream gave them. */
  readonly detail: readonly unknown[] | null;
  /** `error.code` in a stream of which something was forwarded. */
  readonly streamCode: string;
}

/** A failure of the gateway itself. */
export function ownFailure(status: number, code: string, message: string, retryAfterMs?: number): AnswerFailure {
  const headers = { ...retryHeaders(status), ...(retryAfterMs === undefined ? {} : retryAfter(retryAfterMs)) };
  return { status, type: typeOf(status), code, message, param: null, headers, detail: null, streamCode: code };
}

/**
 * The failure that is told after several: the last one, but an upstream's own trouble rather than another's rejection
 * of the request, and the longest `Retry-After` of all.
 *
 * @param failures at least one, in order
 * @param coolingMs how long targets are avoided that gave no `Retry-After`
 */
export function tellFailures(failures: readonly TargetFailure[], coolingMs: number): AnswerFailure {
  const last = failures.at(-1) as TargetFailure;
  const isOverruled = last.reason === 'rejected' || last.reason === 'context_length';
  const real = isOverruled ? failures.findLast(({ reason }) => FAULTS[reason].health !== 'none') : undefined;
  const told = real ?? last;
  const fault = FAULTS[told.reason];
  const status = fault.status ?? (told.upstreamStatus === 422 ? 422 : 400);
  const headers: Record<string, string> = { ...retryHeaders(status) };
  if (told.upstreamStatus !== undefined) headers['hone-upstream-status'] = String(told.upstreamStatus);
  if (status === 429 || status === 503) {
    const asked = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
    Object.assign(headers, retryAfter(asked.length > 0 ? Math.max(...asked) : coolingMs));
  }
  return {
    status,
    type: status === 402 ? 'insufficient_quota' : typeOf(status),
    code: fault.code ?? told.code ?? 'upstream_rejected',
    message: told.message,
    param: told.param ?? null,
    headers,
    detail: told.detail ?? null,
    streamCode: fault.streamCode,
  };
}

/** The frame that ends a stream which failed: an error, never followed by `[DONE]`. */
export function failureFrame({ message, type, code }: AnswerFailure): Buffer {
  return writeFrame(JSON.stringify({ detail: message, error: { message, type, param: null, code } }), '\n');
}

function typeOf(status: number): string {
  if (status === 429) return 'rate_limit_error';
  if (status === 503) return 'overloaded_error';
  if (status === 500) return 'server_error';
  return status < 500 ? 'invalid_request_error' : 'upstream_error';
}

/** What OpenAI's clients go by: they would otherwise repeat what cannot succeed, or give up on what can. */
function retryHeaders(status: number): Record<string, string> {
  if (status === 503) return { 'x-should-retry': 'true' };
  return status < 429 || status === 504 ? { 'x-should-retry': 'false' } : {};
}

function retryAfter(ms: number): Record<string, string> {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1_000) };
}
