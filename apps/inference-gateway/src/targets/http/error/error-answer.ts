import type { FailureReason } from '../../../shared/failure-reason.js';
import { parseJson } from '../../../wire/json/parse-json.js';
import type { TargetFailure } from '../../target-failure.js';
import { errorMessage, isObject } from '../stream/chunk-json.js';
import { redact } from './redact.js';
import { readRetryAfter } from './retry-after.js';

/** Size limit of an error's body; the rest is not read. */
export const MAX_ERROR_BYTES = 65_536;

/** An upstream's response with an error status. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Classifies an error response. Vendors agree on statuses more than on codes, and least on messages: they are checked
 * in this order.
 *
 * @param secrets texts that are removed from its message
 */
export function readErrorAnswer({ status, headers, body }: ErrorAnswer, secrets: readonly string[]): TargetFailure {
  const { error, detail } = parse(body);
  const code = textOf(error.code) ?? textOf(error.type);
  const message = redact(errorMessage(error), secrets);
  const reason = reasonOf(status, `${code ?? ''} ${textOf(error.type) ?? ''}`, message);
  return {
    reason,
    message: reason === 'redirected' ? 'The upstream sent the request somewhere else.' : message,
    upstreamStatus: status,
    retryAfterMs: readRetryAfter(headers),
    code: textOf(error.code),
    param: textOf(error.param),
    detail,
  };
}

function reasonOf(status: number, codes: string, message: string): FailureReason {
  if (status >= 300 && status < 400) return 'redirected';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402 || /insufficient_quota/.test(codes)) return 'no_quota';
  if (status === 404) return 'no_model';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status >= 500 || status === 408 || status === 409) return 'failed';
  // A 2xx status other than 200 is no completion.
  if (status < 400) return 'invalid';
  if (isContextLength(codes, message)) return 'context_length';
  if (/content_filter|content_policy|ResponsibleAI|data_inspection/i.test(codes)) return 'content_filter';
  return 'rejected';
}

const isContextLength = (codes: string, message: string): boolean =>
  /context_length_exceeded|string_above_max_length/.test(codes) ||
  /maximum context length|context (?:length|window) (?:is |of )?.*(?:exceed|only|limit)|exceeds? the (?:maximum|model's|available) .*context|prompt is too long|longer than the maximum model length/i.test(
    message,
  );

function parse(body: Buffer): { error: Record<string, unknown>; detail?: readonly unknown[] } {
  const json = parseJson(body);
  if (!isObject(json)) return { error: {} };
  // vLLM before 0.10 has the error's members at the top level; FastAPI has `detail`.
  if (json.error === undefined) {
    return { error: typeof json.detail === 'string' ? { message: json.detail } : json, detail: detailOf(json.detail) };
  }
  const error = isObject(json.error) ? json.error : { message: String(json.error) };
  return { error, detail: detailOf(json.detail) };
}

/** The `detail` of a 422 in our own format: a list of paths with messages. */
function detailOf(detail: unknown): readonly unknown[] | undefined {
  const isOurs =
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every((item) => isObject(item) && Array.isArray(item.loc) && typeof item.msg === 'string');
  return isOurs ? (detail as unknown[]) : undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
