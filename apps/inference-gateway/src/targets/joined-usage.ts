import type { TokenUsage } from './target.js';

/** Usage of several requests together: the prompt counts as often as it was sent. @param usages at least one */
export function joinedUsage(usages: readonly TokenUsage[]): TokenUsage {
  const sum = (of: (usage: TokenUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  const [first] = usages as [TokenUsage, ...TokenUsage[]];
  return {
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens = 0 }) => cacheWriteTokens),
    reasoningTokens: sum(({ reasoningTokens }) => reasoningTokens),
    source: usages.some(({ source }) => source === 'estimated') ? 'estimated' : first.source,
  };
}
