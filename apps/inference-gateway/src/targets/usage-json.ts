import type { TokenUsage } from './target.js';

/** `usage` of an answer, as on the wire. */
export const toUsageJson = ({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: TokenUsage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens },
  ...(reasoningTokens > 0 && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
});
