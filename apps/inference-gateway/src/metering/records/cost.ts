import type { ModelPrice, TokenCounts, UsageRecord, UsageStatus } from './usage-record.js';

const TOKENS_PER_PRICE = 1_000_000;
const NANO_USD_PER_USD = 1_000_000_000;

/** Converts a configured price in USD per million tokens; `cached` absent: the price of the prompt. */
export function toModelPrice(usd: { prompt: number; cached?: number; completion: number }): ModelPrice {
  const { prompt, cached, completion } = usd;
  return { prompt: toNanoUsd(prompt), cached: toNanoUsd(cached ?? prompt), completion: toNanoUsd(completion) };
}

export const toNanoUsd = (usd: number): number => Math.round(usd * NANO_USD_PER_USD);
export const toUsd = (nanoUsd: number): number => nanoUsd / NANO_USD_PER_USD;

/** Nano-USD, rounded to the nearest. Prompt tokens include cached ones, completion tokens include reasoning ones. */
export function costOf(tokens: TokenCounts, price: ModelPrice): number {
  const cached = Math.min(tokens.cachedTokens, tokens.promptTokens);
  const fresh = tokens.promptTokens - cached;
  const total = fresh * price.prompt + cached * price.cached + tokens.completionTokens * price.completion;
  // Integers up to 2^53 are exact; beyond, the products need BigInt.
  if (total < Number.MAX_SAFE_INTEGER - TOKENS_PER_PRICE) {
    const rounded = total + TOKENS_PER_PRICE / 2;
    return (rounded - (rounded % TOKENS_PER_PRICE)) / TOKENS_PER_PRICE;
  }
  const exact =
    BigInt(fresh) * BigInt(price.prompt) +
    BigInt(cached) * BigInt(price.cached) +
    BigInt(tokens.completionTokens) * BigInt(price.completion);
  return Number((exact + BigInt(TOKENS_PER_PRICE / 2)) / BigInt(TOKENS_PER_PRICE));
}

/** Complete answers are billed, and the tokens produced until a caller left; failures are not. */
export function isBilled(status: UsageStatus, tokens: TokenCounts): boolean {
  return status === 'ok' || (status === 'aborted' && tokens.promptTokens + tokens.completionTokens > 0);
}

/** Cost of a request, decided once, when it has ended. */
export interface Bill {
  /** 0 unless billed. */
  readonly costNanoUsd: number;
  readonly isBilled: boolean;
}

export function billOf(record: UsageRecord): Bill {
  const billed = isBilled(record.status, record);
  return { costNanoUsd: billed ? costOf(record, record.price) : 0, isBilled: billed };
}

/** Decimal USD with 9 places: exact. */
export function toUsdText(nanoUsd: bigint | number): string {
  const digits = String(nanoUsd).replace('-', '').padStart(10, '0');
  const sign = nanoUsd < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** The value of `Hone-Cost`: decimal USD with 12 places. */
export const toCostHeader = (nanoUsd: number): string => `${toUsdText(nanoUsd)}000`;
