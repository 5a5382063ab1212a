import type { Usage, UsageByModel } from './usage.js';

/** What a token of a model costs from a time on, in US dollars. */
export interface Price {
  model: string;
  providerId: string;
  promptTokenCost: number;
  completionTokenCost: number;
  effectiveDate: Date;
}

/** What calls used of a model, and what that cost in US dollars; without the costs where the model has no price. */
export interface PricedUsage extends Usage {
  /** Of one token, at the start of the call. */
  prompt_token_cost?: number;
  completion_token_cost?: number;
  /** Of all tokens. */
  prompt_tokens_total_cost?: number;
  completion_tokens_total_cost?: number;
  total_cost?: number;
  provider_id?: string;
  /** Since when the price holds, ISO 8601. */
  effective_date?: Date;
}

/** The prices of a project. */
export class Prices {
  readonly #byModel = new Map<string, Price[]>();

  /** @param prices in any order */
  constructor(prices: readonly Price[]) {
    const sorted = [...prices].sort((a, b) => a.effectiveDate.getTime() - b.effectiveDate.getTime());
    for (const price of sorted) this.#byModel.set(price.model, [...(this.#byModel.get(price.model) ?? []), price]);
  }

  /** The newest price of a model that was in effect at a time. */
  find(model: string, at: Date): Price | undefined {
    return this.#byModel.get(model)?.findLast(({ effectiveDate }) => effectiveDate <= at);
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

function costsOf({ prompt_tokens, completion_tokens }: Usage, price: Price) {
  const prompt = prompt_tokens * price.promptTokenCost;
  const completion = completion_tokens * price.completionTokenCost;
  return {
    prompt_token_cost: price.promptTokenCost,
    completion_token_cost: price.completionTokenCost,
    prompt_tokens_total_cost: prompt,
    completion_tokens_total_cost: completion,
    total_cost: prompt + completion,
    provider_id: price.providerId,
    effective_date: price.effectiveDate,
  };
}
