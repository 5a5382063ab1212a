import type { TokenUsage } from '../token-usage.js';

/** What a token of a model costs from a time on, in US dollars. */
export interface TokenPrice {
  providerId: string;
  promptTokenCost: number;
  completionTokenCost: number;
  /** Null: as any other token of the prompt. */
  cacheReadInputTokenCost: number | null;
  /** Null: as any other token of the prompt. */
  cacheCreationInputTokenCost: number | null;
  /** Null: as any other token of the completion. */
  reasoningTokenCost: number | null;
  effectiveDate: Date;
}

/** Costs in US dollars. Those of caches are a part of the prompt's, those of reasoning of the completion's. */
export interface TokenCosts {
  prompt: number;
  completion: number;
  cacheRead: number;
  cacheCreation: number;
  reasoning: number;
}

/** What tokens cost. Parts that are larger than the whole, which a client miscounted, are cut to it. */
export function tokenCosts(usage: TokenUsage, price: Omit<TokenPrice, 'providerId' | 'effectiveDate'>): TokenCosts {
  const { prompt_tokens, completion_tokens, cached_tokens = 0, cache_write_tokens = 0, reasoning_tokens = 0 } = usage;
  const read = Math.min(cached_tokens, prompt_tokens);
  const written = Math.min(cache_write_tokens, prompt_tokens - read);
  const reasoned = Math.min(reasoning_tokens, completion_tokens);
  const cacheRead = read * (price.cacheReadInputTokenCost ?? price.promptTokenCost);
  const cacheCreation = written * (price.cacheCreationInputTokenCost ?? price.promptTokenCost);
  const reasoning = reasoned * (price.reasoningTokenCost ?? price.completionTokenCost);
  return {
    prompt: (prompt_tokens - read - written) * price.promptTokenCost + cacheRead + cacheCreation,
    completion: (completion_tokens - reasoned) * price.completionTokenCost + reasoning,
    cacheRead,
    cacheCreation,
    reasoning,
  };
}
