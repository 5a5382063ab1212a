import { PRICE_LIST } from './price-list.js';
import type { TokenPrice } from './token-price.js';

const TOKENS_PER_PRICE = 1_000_000;
const EVER = '1970-01-01';
/** What providers put behind the name of a model: the day of its version, or that it is the newest. */
const VERSION = /(?:-latest|@\d+|-\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$/;

/** Model -> its prices, the oldest first. Read when the first price is asked for. */
let byModel: Map<string, TokenPrice[]> | undefined;

/**
 * The price of a hosted model by the built-in list.
 *
 * @param model as clients name it: with or without its provider before a slash, and a version at the end
 * @returns undefined: it is not in the list
 */
export function builtInPrice(model: string, at: Date): TokenPrice | undefined {
  byModel ??= readList();
  const name = (model.toLowerCase().split('/').at(-1) as string).trim();
  const prices = byModel.get(name) ?? byModel.get(name.replace(VERSION, ''));
  return prices?.findLast(({ effectiveDate }) => effectiveDate <= at);
}

/** When prices of the built-in list change, in no order. */
export function builtInPriceChanges(): Date[] {
  byModel ??= readList();
  return [...byModel.values()].flatMap((prices) => prices.map(({ effectiveDate }) => effectiveDate));
}

function readList(): Map<string, TokenPrice[]> {
  const read = new Map<string, TokenPrice[]>();
  for (const [providerId, lines] of Object.entries(PRICE_LIST))
    for (const line of lines.trim().split('\n')) {
      const [model, from, ...prices] = line.trim().split(' ') as [string, string, string, string, string, string];
      const [prompt, cacheRead, cacheWrite, completion] = prices.map(perToken);
      const price = {
        ...{ providerId, promptTokenCost: prompt ?? 0, completionTokenCost: completion ?? 0, reasoningTokenCost: null },
        ...{ cacheReadInputTokenCost: cacheRead ?? null, cacheCreationInputTokenCost: cacheWrite ?? null },
        effectiveDate: new Date(from === '-' ? EVER : from),
      };
      read.set(model, [...(read.get(model) ?? []), price]);
    }
  return read;
}

const perToken = (price: string): number | null => (price === '-' ? null : Number(price) / TOKENS_PER_PRICE);
