import type { ModelTokens } from '../derived/model-tokens.js';
import { builtInPrice, builtInPriceChanges } from './built-in-prices.js';
import { tokenCosts, type TokenPrice } from './token-price.js';
import type { Usage, UsageByModel } from './usage-by-model.js';

/** What a token of a model costs a project from a time on, in US dollars. */
export interface Price extends TokenPrice {
  model: string;
}

/** What calls used of a model, and what that cost in US dollars; without the costs where the model has no price. */
export interface PricedUsage extends Usage {
  /** Of one token, at the start of the call. */
  prompt_token_cost?: number;
  completion_token_cost?: number;
  /** Of all tokens. */
  prompt_tokens_total_cost?: number;
  completion_tokens_total_cost?: number;
  /** Of the prompt's. */
  cache_read_input_tokens_total_cost?: number;
  cache_creation_input_tokens_total_cost?: number;
  /** Of the completion's. */
  reasoning_tokens_total_cost?: number;
  total_cost?: number;
  provider_id?: string;
  /** Since when the price holds, ISO 8601. */
  effective_date?: Date;
}

/** The prices of a project, and those of the built-in list for models that it has none for. */
export class Prices {
  private readonly byModel = new Map<string, Price[]>();

  /** @param prices in any order */
  constructor(prices: readonly Price[]) {
    const sorted = [...prices].sort((a, b) => a.effectiveDate.getTime() - b.effectiveDate.getTime());
    for (const price of sorted) this.byModel.set(price.model, [...(this.byModel.get(price.model) ?? []), price]);
  }

  /** The newest price of a model that was in effect at a time. */
  find(model: string, at: Date): TokenPrice | undefined {
    return this.byModel.get(model)?.findLast(({ effectiveDate }) => effectiveDate <= at) ?? builtInPrice(model, at);
  }

  /** When prices change after `start` and before `end`, each time once, the earliest first. */
  changesBetween(start: Date, end: Date): Date[] {
    return this.changes().filter((time) => time > start && time < end);
  }

  /** When prices change, each time once, the earliest first. */
  changes(): Date[] {
    const own = [...this.byModel.values()].flat().map(({ effectiveDate }) => effectiveDate);
    const times = new Set([...own, ...builtInPriceChanges()].map((date) => date.getTime()));
    return [...times].sort((a, b) => a - b).map((time) => new Date(time));
  }

  /** What tokens of a model cost in US dollars. @param at decides which price holds @returns undefined: it has none */
  costOf(used: ModelTokens, at: Date): number | undefined {
    const price = this.find(used.model, at);
    if (!price) return undefined;
    const { prompt, completion } = tokenCosts(
      {
        ...{
          prompt_tokens: used.prompt,
          completion_tokens: used.completion,
          total_tokens: used.prompt + used.completion,
        },
        ...{
          cached_tokens: used.cached ?? 0,
          cache_write_tokens: used.written ?? 0,
          reasoning_tokens: used.reasoning ?? 0,
        },
      },
      price,
    );
    return prompt + completion;
  }

  /** What a call used, with costs. @param startedAt decides which prices hold */
  price(usage: UsageByModel, startedAt: Date): Map<string, PricedUsage> {
    const priced = new Map<string, PricedUsage>();
    for (const [model, used] of usage) {
      const price = this.find(model, startedAt);
      priced.set(model, price ? { ...used, ...costsOf(used, price) } : used);
    }
    return priced;
  }
}

function costsOf(used: Usage, price: TokenPrice) {
  const { prompt, completion, cacheRead, cacheCreation, reasoning } = tokenCosts(
    {
      ...used,
      cached_tokens: used.cache_read_input_tokens,
      cache_write_tokens: used.cache_creation_input_tokens,
    },
    price,
  );
  return {
    prompt_token_cost: price.promptTokenCost,
    completion_token_cost: price.completionTokenCost,
    prompt_tokens_total_cost: prompt,
    completion_tokens_total_cost: completion,
    ...(used.cache_read_input_tokens !== undefined && { cache_read_input_tokens_total_cost: cacheRead }),
    ...(used.cache_creation_input_tokens !== undefined && { cache_creation_input_tokens_total_cost: cacheCreation }),
    ...(used.reasoning_tokens !== undefined && { reasoning_tokens_total_cost: reasoning }),
    total_cost: prompt + completion,
    provider_id: price.providerId,
    effective_date: price.effectiveDate,
  };
}
