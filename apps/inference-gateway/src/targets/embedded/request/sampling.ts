import { randomBytes } from 'node:crypto';

import type { ChatCompletionRequestDto } from '@hone/contracts';
import { type EndingRules, PLAIN_SAMPLING, type SamplingSettings } from '@hone/engine';

/** Token limit of one choice; null: the rest of the context. */
export function answerLimit({ max_completion_tokens: limit, max_tokens: other }: ChatCompletionRequestDto) {
  return limit ?? other ?? null;
}

/** Sampling settings of choice 0. */
export function toSampling(fields: ChatCompletionRequestDto): SamplingSettings {
  const plain = PLAIN_SAMPLING;
  return {
    temperature: fields.temperature ?? plain.temperature,
    topP: fields.top_p ?? plain.topP,
    topK: fields.top_k ?? plain.topK,
    minP: fields.min_p ?? plain.minP,
    frequencyPenalty: fields.frequency_penalty ?? plain.frequencyPenalty,
    presencePenalty: fields.presence_penalty ?? plain.presencePenalty,
    repetitionPenalty: fields.repetition_penalty ?? plain.repetitionPenalty,
    logitBias: new Map(Object.entries(fields.logit_bias ?? {}).map(([id, bias]) => [Number(id), bias])),
    allowedTokenIds: fields.allowed_token_ids ?? null,
    badWords: fields.bad_words ?? [],
    minTokens: fields.min_tokens ?? 0,
    seed: isSeeded(fields) ? BigInt(fields.seed) : randomBytes(8).readBigUInt64BE(),
  };
}

/** The caller chose the seed. Absent and -1: random. */
export function isSeeded<T extends Pick<ChatCompletionRequestDto, 'seed'>>(fields: T): fields is T & { seed: number } {
  return fields.seed !== undefined && fields.seed !== null && fields.seed !== -1;
}

export function toEnding(fields: ChatCompletionRequestDto): EndingRules {
  const { stop, repetition_detection: repetition } = fields;
  return {
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    stopTokenIds: fields.stop_token_ids ?? [],
    includeStop: fields.include_stop_str_in_output === true,
    ignoreEos: fields.ignore_eos === true,
    repetition: {
      maxPatternSize: repetition?.max_pattern_size ?? 0,
      minPatternSize: repetition?.min_pattern_size ?? 0,
      minCount: repetition?.min_count ?? 0,
    },
  };
}
