import { asNumber, isJsonObject, type JsonObject, memberOf, parseJson } from '@hone/contracts';

import { readTokenUsage } from '../token-usage.js';

/** What calls used of one model. */
export interface Usage {
  requests: number;
  /** Those of caches included. */
  prompt_tokens: number;
  /** Those of reasoning included. */
  completion_tokens: number;
  total_tokens: number;
  /** Of the prompt's: read from a cache. Undefined: not said. */
  cache_read_input_tokens?: number | undefined;
  /** Of the prompt's: written into a cache. Undefined: not said. */
  cache_creation_input_tokens?: number | undefined;
  /** Of the completion's. Undefined: not said. */
  reasoning_tokens?: number | undefined;
}

export type UsageByModel = Map<string, Usage>;

/**
 * What a call used of each model: `summary.usage`, which clients write in any of the spellings of `readTokenUsage`. What
 * is no number counts as 0.
 *
 * @param summary exact text; null: the call runs
 */
export function usageOf(summary: string | null): UsageByModel {
  const found: UsageByModel = new Map();
  if (!summary?.includes('"usage"')) return found;
  const usage = memberOf(parseJson(summary), 'usage');
  if (!isJsonObject(usage)) return found;
  for (const model of Object.keys(usage)) {
    const of = usage[model];
    if (isJsonObject(of)) found.set(model, readUsage(of));
  }
  return found;
}

function readUsage(of: JsonObject): Usage {
  const requests = asNumber(memberOf(of, 'requests'));
  const { cached_tokens, cache_write_tokens, reasoning_tokens, ...sums } = readTokenUsage(of) ?? NO_TOKENS;
  return {
    requests: requests !== undefined && Number.isFinite(requests) ? requests : 0,
    ...sums,
    ...(cached_tokens !== undefined && { cache_read_input_tokens: cached_tokens }),
    ...(cache_write_tokens !== undefined && { cache_creation_input_tokens: cache_write_tokens }),
    ...(reasoning_tokens !== undefined && { reasoning_tokens }),
  };
}

const NO_TOKENS: ReturnType<typeof readTokenUsage> & object = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
};
