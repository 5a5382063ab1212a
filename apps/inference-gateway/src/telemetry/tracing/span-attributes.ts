import type { ChatCompletionRequestDto } from '@hone/contracts';
import type { Attributes } from '@opentelemetry/api';

import { abortWindowOf, lastTargetOf } from '../request/attempt-history.js';
import type { ObservedRequest } from '../request/observed-request.js';

/** Length of a model name in a span; callers choose it. */
const MAX_MODEL = 128;

export const modelText = (model: string): string => model.slice(0, MAX_MODEL);

/** Attributes that a span has from its start, so that samplers can read them. */
export function requestAttributes(dto: ChatCompletionRequestDto): Attributes {
  return withoutNulls({
    'gen_ai.request.model': modelText(dto.model),
    'gen_ai.request.stream': dto.stream === true,
    'gen_ai.request.choice.count': dto.n ?? 1,
    'gen_ai.request.max_tokens': dto.max_completion_tokens ?? dto.max_tokens,
    'gen_ai.request.temperature': dto.temperature,
    'gen_ai.request.top_p': dto.top_p,
    'gen_ai.request.top_k': dto.top_k,
    'gen_ai.request.frequency_penalty': dto.frequency_penalty,
    'gen_ai.request.presence_penalty': dto.presence_penalty,
    'gen_ai.request.seed': dto.seed,
  });
}

/** Attributes that a span gets at its end. Attempts have no token counts: a sum over all spans would double them. */
export function answerAttributes(request: ObservedRequest): Attributes {
  const { outcome, status, errorCode, result } = request;
  return withoutNulls({
    'hone.request.id': request.rid,
    'hone.request.uid': request.uid,
    'hone.project': request.project,
    'hone.route': request.route,
    'hone.target': lastTargetOf(request),
    'hone.attempts': outcome?.attempts.length ?? 0,
    'http.response.status_code': status === 0 ? null : status,
    'error.type': result === 'aborted' ? 'aborted' : (errorCode ?? (result === 'ok' ? null : String(status))),
    'hone.abort.window': result === 'aborted' ? abortWindowOf(outcome) : null,
    'hone.queue_seconds': outcome && outcome.queuedMs / 1_000,
    'gen_ai.response.time_to_first_chunk': timeToFirstChunk(request),
    'gen_ai.usage.input_tokens': outcome?.usage?.promptTokens,
    'gen_ai.usage.output_tokens': outcome?.usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': outcome?.usage?.cachedTokens,
    ...(result === 'ok' && responseAttributes(request)),
  });
}

function responseAttributes({ rid, outcome }: ObservedRequest): Attributes {
  const reasons = outcome?.finishReasons ?? [];
  const last = outcome?.attempts.at(-1);
  return {
    'gen_ai.response.id': `chatcmpl-${rid}`,
    'gen_ai.response.model': last?.answeredAs ?? '',
    ...(reasons.length > 0 && { 'gen_ai.response.finish_reasons': [...reasons] }),
  };
}

function timeToFirstChunk({ isStream, outcome }: ObservedRequest): number | null {
  return isStream && outcome !== null && outcome.ttftMs !== null ? outcome.ttftMs / 1_000 : null;
}

function withoutNulls(attributes: Record<string, Attributes[string] | null>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, Attributes[string]] => (entry[1] ?? null) !== null),
  );
}
