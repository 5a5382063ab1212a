import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { TargetFailure } from '../../target-failure.js';
import { errorMessage } from './error-message.js';
import { reasonOfError, textOf } from './error-reason.js';
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
 * Reads an error response.
 *
 * @param secrets texts that are removed from its message
 */
export function readErrorAnswer({ status, headers, body }: ErrorAnswer, secrets: readonly string[]): TargetFailure {
  const { error, detail } = parse(body);
  const message = redact(errorMessage(error), secrets);
  const reason = reasonOfError(status, error);
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

function parse(body: Buffer): { error: Record<string, unknown>; detail?: readonly unknown[] } {
  const json = parsePlainJson(body);
  if (!isJsonObject(json)) return { error: {} };
  // vLLM before 0.10 has the error's members at the top level; FastAPI has `detail`.
  if (json.error === undefined) {
    return { error: typeof json.detail === 'string' ? { message: json.detail } : json, detail: detailOf(json.detail) };
  }
  const error = isJsonObject(json.error) ? json.error : { message: String(json.error) };
  return { error, detail: detailOf(json.detail) };
}

/** The `detail` of a 422 in our own format: a list of paths with messages. */
function detailOf(detail: unknown): readonly unknown[] | undefined {
  const isOurs =
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every((item) => isJsonObject(item) && Array.isArray(item.loc) && typeof item.msg === 'string');
  return isOurs ? (detail as unknown[]) : undefined;
}
