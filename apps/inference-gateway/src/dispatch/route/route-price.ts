import { builtInPrice } from '@hone/calls';

import type { Price, Route } from './route.js';

const TOKENS_PER_PRICE = 1_000_000;

/** What a route charges: its own price, else that of the built-in list. Null: nothing. */
export function priceOf({ price, listedModel }: Pick<Route, 'price' | 'listedModel'>, now?: Date): Price | null {
  if (price !== null || listedModel === null) return price;
  const listed = builtInPrice(listedModel, now ?? new Date());
  if (!listed) return null;
  const perMillion = (usd: number): number => usd * TOKENS_PER_PRICE;
  return {
    prompt: perMillion(listed.promptTokenCost),
    cached: perMillion(listed.cacheReadInputTokenCost ?? listed.promptTokenCost),
    cacheWrite: perMillion(listed.cacheCreationInputTokenCost ?? listed.promptTokenCost),
    completion: perMillion(listed.completionTokenCost),
    reasoning: perMillion(listed.reasoningTokenCost ?? listed.completionTokenCost),
  };
}
