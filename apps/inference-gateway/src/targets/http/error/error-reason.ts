import type { FailureReason } from '../../../shared/failure-reason.js';
import { errorMessage } from './error-message.js';

type Json = Record<string, unknown>;

const CONTENT_FILTER = /content_filter|content_policy|ResponsibleAI|data_inspection/i;

/** Anthropic's service says so with a 400. */
const NO_CREDIT = /credit balance is too low/i;

/**
 * Classifies an error of an upstream. Vendors agree on statuses more than on codes, and least on messages: they are
 * checked in this order, except where a status has two meanings.
 *
 * @param error `error` of the body
 */
export function reasonOfError(status: number, error: Json): FailureReason {
  const codes = `${textOf(error.code) ?? ''} ${textOf(error.type) ?? ''}`;
  if (status >= 400) return reasonOf(status, codes, error);
  // A 2xx status other than 200 is no completion.
  return status >= 300 ? 'redirected' : 'invalid';
}

function reasonOf(status: number, codes: string, error: Json): FailureReason {
  const message = errorMessage(error);
  const isFiltered = CONTENT_FILTER.test(codes) || (status === 403 && /\b(?:flagged|moderation)\b/i.test(message));
  if (status < 500 && isFiltered) return 'content_filter';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402 || /insufficient_quota/.test(codes) || NO_CREDIT.test(message)) return 'no_quota';
  // A file or image of the request, not the model, is missing.
  if (status === 404) return (textOf(error.param) ?? 'model') === 'model' ? 'no_model' : 'rejected';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status === 501) return 'rejected';
  if (status >= 500 || status === 408 || status === 409) return 'failed';
  return isContextLength(codes, message) ? 'context_length' : 'rejected';
}

const isContextLength = (codes: string, message: string): boolean =>
  /context_length_exceeded|string_above_max_length/.test(codes) ||
  /maximum context length|context (?:length|window) (?:is |of )?.*(?:exceed|only|limit)|exceeds? the (?:maximum|model's|available) .*context|prompt is too long|longer than the maximum model length/i.test(
    message,
  );

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
