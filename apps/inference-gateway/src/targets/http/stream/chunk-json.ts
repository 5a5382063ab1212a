import { isJsonObject } from '@hone/json';

import type { TokenUsage } from '../../target.js';
import { type CallPart, readCallParts } from './tool-call-names.js';

/** The parts of a chunk's choice that the gateway reads. */
export interface ChoiceDelta {
  readonly index: number;
  readonly finishReason: string | null;
  readonly hasText: boolean;
  /** Name of the delta's only member if it is a non-empty string, such as `content`; else null. */
  readonly onlyText: string | null;
  /** The delta has the role and no text. */
  readonly isRole: boolean;
  readonly callParts: readonly CallPart[];
}

/** A parsed frame of a stream. */
export interface ChunkJson {
  readonly choices: readonly ChoiceDelta[];
  readonly usage: TokenUsage | null;
}

type Json = Record<string, unknown>;

/** Reads a frame's object; null when it is no chunk of a completion. One with usage may have no choices at all. */
export function readChunk(json: Json): ChunkJson | null {
  const usage = readUsage(json.usage);
  const list = json.choices ?? (usage === null ? null : []);
  if (!Array.isArray(list)) return null;
  const choices: ChoiceDelta[] = [];
  for (const choice of list) {
    const read = isJsonObject(choice) ? readChoice(choice) : null;
    if (read === null) return null;
    choices.push(read);
  }
  return { choices, usage };
}

/** A chunk of a completion has its text in the choice itself. */
function readChoice({ index = 0, delta, text, finish_reason: ended }: Json): ChoiceDelta | null {
  const body = delta ?? {};
  if (typeof index !== 'number' || !isJsonObject(body)) return null;
  // Some servers write an empty string until the choice ends.
  const finishReason = ended === undefined || ended === '' ? null : ended;
  if (finishReason !== null && typeof finishReason !== 'string') return null;
  const hasText = ANSWER_FIELDS.some((field) => isFilled(body[field])) || isFilled(text);
  const keys = Object.keys(body);
  const [only] = keys;
  const isText = keys.length === 1 && typeof body[only as string] === 'string' && body[only as string] !== '';
  const isRole = 'role' in body && !hasText;
  const onlyText = isText ? (only as string) : null;
  return { index, finishReason, hasText, onlyText, isRole, callParts: readCallParts(body) };
}

/** Members of a delta that are part of an answer when they are not empty. */
const ANSWER_FIELDS = ['content', 'reasoning', 'reasoning_content', 'refusal', 'function_call', 'tool_calls', 'audio'];

function isFilled(value: unknown): boolean {
  if (Array.isArray(value) || typeof value === 'string') return value.length > 0;
  return isJsonObject(value);
}

/** Reads a `usage` object; null when it is absent or counts nothing. */
export function readUsage(usage: unknown): TokenUsage | null {
  if (!isJsonObject(usage) || !isCount(usage.completion_tokens ?? usage.prompt_tokens)) return null;
  const ofPrompt = usage.prompt_tokens_details as Json | null | undefined;
  const written = ofPrompt?.cache_write_tokens ?? ofPrompt?.cache_creation_tokens ?? usage.cache_creation_input_tokens;
  return {
    promptTokens: countOf(usage.prompt_tokens),
    completionTokens: countOf(usage.completion_tokens),
    cachedTokens: countOf(ofPrompt?.cached_tokens),
    ...(isCount(written) && { cacheWriteTokens: written }),
    reasoningTokens: countOf((usage.completion_tokens_details as Json | null | undefined)?.reasoning_tokens),
    source: 'upstream',
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const countOf = (value: unknown): number => (isCount(value) ? value : 0);

const ANSWER_TEXT = /"(?:content|reasoning|reasoning_content|arguments)"\s*:\s*"/;

/** Whether a malformed frame seems to contain text of the answer. */
export const showsAnswerText = (data: string): boolean => ANSWER_TEXT.test(data);

const PART_OF_OBJECT = /["{}]/;

/**
 * Whether a frame that is no chunk may have been one: a piece of JSON, or an object with choices that cannot be read.
 *
 * @param json the parsed frame; undefined: it is no JSON
 */
export function mayBeChunk(data: string, json: unknown): boolean {
  if (showsAnswerText(data)) return true;
  return json === undefined ? PART_OF_OBJECT.test(data) : isJsonObject(json) && (json.choices ?? null) !== null;
}
