import { isJsonObject } from '@hone/json';

import type { TargetFailure } from '../../target-failure.js';
import { errorMessage } from './error-message.js';
import { reasonOfError, textOf } from './error-reason.js';

/**
 * An error that an upstream reports within a response of status 200. A `code` that is a client's status means what the
 * same status would mean: the request may be at fault, and not the upstream.
 *
 * @param error value of the `error` member
 * @param statuses statuses by the error's `code` or `type`, where it names none
 */
export function readReportedError(error: unknown, statuses: Readonly<Record<string, number>> = {}): TargetFailure {
  const message = errorMessage(error);
  if (!isJsonObject(error)) return { reason: 'reported', message };
  const named = statuses[textOf(error.code) ?? ''] ?? statuses[textOf(error.type) ?? ''];
  const status = named ?? Number(error.code ?? error.status ?? NaN);
  if (!(status >= 400 && status < 500)) return { reason: 'reported', message };
  return { reason: reasonOfError(status, error), message, upstreamStatus: status, param: textOf(error.param) };
}
