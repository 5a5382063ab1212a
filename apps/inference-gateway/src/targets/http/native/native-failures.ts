import type { TargetFailure } from '../../target-failure.js';
import { readReportedError } from '../error/reported-error.js';

export const DAMAGED: TargetFailure = {
  reason: 'damaged',
  message: 'A part of the answer was lost on its way from the upstream.',
};
export const WENT_ON: TargetFailure = {
  reason: 'damaged',
  message: 'The upstream went on after the end of an answer.',
};
export const UNFINISHED: TargetFailure = {
  reason: 'interrupted',
  message: 'The answer ended before it was finished.',
};

export const invalid = (message: string): TargetFailure => ({ reason: 'invalid', message });

/**
 * Statuses that an error within an answer would have had before it, by its `type` or `code`: see
 * https://platform.claude.com/docs/en/api/errors and https://platform.openai.com/docs/guides/error-codes.
 */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  content_filter: 400,
};

/** An error that an answer of status 200 reports. */
export const readNativeError = (error: unknown): TargetFailure => readReportedError(error, STATUSES);
