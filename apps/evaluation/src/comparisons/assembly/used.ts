import { type Price, Prices } from '@hone/calls/prices';

import type { UsageLine } from './comparison-order.js';

/** What a prediction used. */
export interface Used {
  tokens: number;
  /** US dollars. Null: one of its models has no price. */
  costUsd: number | null;
}

/** By id of the prediction. */
export function usedByTrial(chunks: readonly string[], prices: readonly Price[]): Map<string, Used> {
  const list = new Prices(prices);
  const found = new Map<string, Used>();
  for (const chunk of chunks)
    for (const line of JSON.parse(chunk) as UsageLine[]) {
      const [trial, model, startedAtMs, requests, prompt, completion, total, cached, written, reasoning] = line;
      const tokens = { model, requests, prompt, completion, total, cached, written, reasoning };
      const cost = list.costOf(tokens, new Date(startedAtMs)) ?? null;
      const used = found.get(trial);
      if (!used) found.set(trial, { tokens: total, costUsd: cost });
      else {
        used.tokens += total;
        used.costUsd = used.costUsd === null || cost === null ? null : used.costUsd + cost;
      }
    }
  return found;
}
