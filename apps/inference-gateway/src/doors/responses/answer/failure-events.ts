import { isJsonObject } from '@hone/json';

import type { AnswerFailure } from '../../../dispatch/answer/answer-failure.js';
import { toEvent } from '../../translation/event-writer.js';

type Json = Record<string, unknown>;

/**
 * The events that end a stream of an upstream's own.
 *
 * @param first its first event, which has the response as it began
 * @param last its last event so far, whose number they go on from
 */
export function toFailureEvents({ type, code, message, param }: AnswerFailure, first: Json, last: Json): string {
  const number = Number.isSafeInteger(last['sequence_number']) ? Number(last['sequence_number']) : -1;
  const begun = first['response'];
  const error = { code, message };
  const response = { object: 'response', output: [], ...(isJsonObject(begun) && begun), status: 'failed', error };
  return (
    // OpenAI's reference has the members at the top, its service and the clients made for it within `error`.
    toEvent({
      type: 'error',
      sequence_number: number + 1,
      code,
      message,
      param,
      error: { type, code, message, param },
    }) + toEvent({ type: 'response.failed', sequence_number: number + 2, response })
  );
}
