import { builtInPrice, tokenCosts, type TokenPrice } from '@hone/calls';
import { setKey } from '@hone/contracts';

import type { UsageRow } from './usage-rows.sql.js';

type Sums = Record<string, number>;

/** What was used in each bucket, by its time in ms, then by model: sums of tokens, and of costs where there is a price. */
export function usageByBucket(rows: readonly UsageRow[]): Map<number, Record<string, Sums>> {
  const buckets = new Map<number, Record<string, Sums>>();
  for (const row of rows) {
    const models = buckets.get(row.timestamp.getTime()) ?? {};
    const known = Object.hasOwn(models, row.model) ? (models[row.model] as Sums) : {};
    setKey(models, row.model, added(known, sumsOf(row)));
    buckets.set(row.timestamp.getTime(), models);
  }
  return buckets;
}

function sumsOf(row: UsageRow): Sums {
  const count = (value: unknown): number | undefined => (value === null ? undefined : Number(value));
  const [cached, written, reasoning] = [count(row.cached), count(row.written), count(row.reasoning)];
  const tokens = {
    prompt_tokens: Number(row.prompt),
    completion_tokens: Number(row.completion),
    total_tokens: Number(row.total),
  };
  const price = priceOf(row);
  const details = { cached_tokens: cached, cache_write_tokens: written, reasoning_tokens: reasoning };
  const costs = price && tokenCosts({ ...tokens, ...details }, price);
  return {
    ...{ requests: Number(row.requests), ...tokens },
    ...(cached !== undefined && { cache_read_input_tokens: cached }),
    ...(written !== undefined && { cache_creation_input_tokens: written }),
    ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
    ...(costs && { total_cost: costs.prompt + costs.completion }),
  };
}

function priceOf(row: UsageRow): Omit<TokenPrice, 'providerId' | 'effectiveDate'> | undefined {
  if (row.day !== null) return builtInPrice(row.model, row.day);
  return { ...row, promptTokenCost: row.promptTokenCost ?? 0, completionTokenCost: row.completionTokenCost ?? 0 };
}

function added(sums: Sums, more: Sums): Sums {
  const total = { ...sums };
  for (const [name, value] of Object.entries(more)) total[name] = (total[name] ?? 0) + value;
  return total;
}
