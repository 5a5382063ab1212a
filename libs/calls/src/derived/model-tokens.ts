import { asNumber, isJsonObject, type JsonValue, memberOf, toStorableText } from '@hone/contracts';

import { readTokenUsage, type TokenUsage } from '../token-usage.js';

/** What a call used of a model. Parts are cut to the whole that they are of. */
export interface ModelTokens {
  readonly model: string;
  readonly requests: number;
  /** Those of caches included. */
  readonly prompt: number;
  /** Those of reasoning included. */
  readonly completion: number;
  readonly total: number;
  /** Of the prompt's: read from a cache. Null: not said. */
  readonly cached: number | null;
  /** Of the prompt's, beside the cached ones: written into a cache. Null: not said. */
  readonly written: number | null;
  /** Of the completion's. Null: not said. */
  readonly reasoning: number | null;
}

/** No call has more tokens, and sums of these stay exact. */
const MAX_COUNT = 1e12;
const MAX_MODELS = 100;
/** Characters of a model's name. */
const MAX_NAME = 512;

/**
 * What a call used of each model: `summary.usage`, the model with the most tokens first.
 *
 * @returns empty: nothing, or the summary counts more calls than itself and so sums its descendants, which are counted
 *   themselves
 */
export function tokensOfSummary(summary: JsonValue): ModelTokens[] {
  const usage = memberOf(summary, 'usage');
  if (!isJsonObject(usage) || isSumOfDescendants(summary)) return [];
  return Object.keys(usage)
    .slice(0, MAX_MODELS)
    .flatMap((model) => tokensOf(model, usage[model]))
    .sort((a, b) => b.total - a.total);
}

/** Whether a summary sums those of the descendants, as tracing SDKs write it: it counts more calls than itself. */
export function isSumOfDescendants(summary: JsonValue): boolean {
  const counts = memberOf(summary, 'status_counts');
  if (!isJsonObject(counts)) return false;
  return Object.values(counts).reduce<number>((sum, count) => sum + (asNumber(count) ?? 0), 0) > 1;
}

function tokensOf(model: string, of: JsonValue | undefined): ModelTokens[] {
  if (!isJsonObject(of)) return [];
  return [modelTokens(model, asNumber(memberOf(of, 'requests')) ?? 0, readTokenUsage(of))];
}

/** @param used undefined: nothing is known of its tokens */
export function modelTokens(model: string, requests: number, used: TokenUsage | undefined): ModelTokens {
  const [prompt, completion] = [bounded(used?.prompt_tokens ?? 0), bounded(used?.completion_tokens ?? 0)];
  const cached = part(used?.cached_tokens, prompt);
  return {
    model: toStorableText(model).slice(0, MAX_NAME).toWellFormed(),
    requests: bounded(requests),
    prompt,
    completion,
    total: bounded(used?.total_tokens ?? 0),
    cached,
    written: part(used?.cache_write_tokens, prompt - (cached ?? 0)),
    reasoning: part(used?.reasoning_tokens, completion),
  };
}

const part = (count: number | undefined, whole: number): number | null =>
  count === undefined ? null : Math.min(count, whole);

const bounded = (count: number): number =>
  Number.isFinite(count) ? Math.min(Math.max(count, -MAX_COUNT), MAX_COUNT) : 0;
