import type { AnswerOutcome } from '../../dispatch/answer/outcome.js';
import { lastTargetOf } from '../request/attempt-history.js';
import type { ObservedRequest } from '../request/observed-request.js';

/** Logged length of a model name, which callers choose. */
const MAX_MODEL = 128;

/** Log line of a request: ids, counts and durations in milliseconds; no text, no keys. */
export function toRequestLine(request: ObservedRequest): object {
  const { outcome, modelAsked, userHash, errorCode, unknownFields, isStream } = request;
  return {
    rid: request.rid,
    uid: request.uid,
    ...(request.project !== null && { project: request.project }),
    ...(modelAsked !== null && { model: modelAsked.slice(0, MAX_MODEL), stream: isStream }),
    route: request.route,
    target: lastTargetOf(request),
    status: request.status,
    result: request.result,
    ...(errorCode !== null && { code: errorCode }),
    ms: rounded(request.durationMs),
    ...(outcome !== null && {
      attempts: outcome.attempts.length,
      queuedMs: rounded(outcome.queuedMs),
      ...(outcome.ttftMs !== null && { ttftMs: rounded(outcome.ttftMs) }),
      ...(outcome.usage !== null && tokensOf(outcome.usage)),
    }),
    ...(userHash !== null && { user: userHash }),
    ...(unknownFields > 0 && { unknownFields }),
  };
}

const tokensOf = ({ promptTokens, completionTokens }: NonNullable<AnswerOutcome['usage']>) => ({
  promptTokens,
  completionTokens,
});
const rounded = (ms: number): number => Math.round(ms * 10) / 10;
