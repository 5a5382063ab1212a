import type { ModelPrice, TokenCounts, UsageRecord, UsageStatus } from './usage-record.js';

const TOKENS_PER_PRICE = 1_000_000;
const NANO_USD_PER_USD = 1_000_000_000;

/** A price as the configuration has it, in USD per million tokens; `cached` absent: as the rest of the prompt. */
export function toModelPrice(usd: { prompt: number; cached?: number; completion: number }): ModelPrice {
  const { prompt, cached, completion } = usd;
  return { prompt: toNanoUsd(prompt), cached: toNanoUsd(cached ?? prompt), completion: toNanoUsd(completion) };
}

export const toNanoUsd = (usd: number): number => Math.round(usd * NANO_USD_PER_USD);
export const toUsd = (nanoUsd: number): number => nanoUsd / NANO_USD_PER_USD;

/** Nano-USD, rounded to the nearest. Cached tokens are a part of the prompt's, reasoning tokens of the completion's. */
export function costOf(tokens: TokenCounts, price: ModelPrice): number {
  const cached = Math.min(tokens.cachedTokens, tokens.promptTokens);
  const fresh = tokens.promptTokens - cached;
  const total = fresh * price.prompt + cached * price.cached + tokens.completionTokens * price.completion;
  // Whole numbers up to 2^53 are exact; beyond it each product might have lost its last digits.
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

/** Whole answers are paid for, and what was produced until a caller went away; failures are not. */
export function isBilled(status: UsageStatus, tokens: TokenCounts): boolean {
  return status === 'ok' || (status === 'aborted' && tokens.promptTokens + tokens.completionTokens > 0);
}

/** What a request costs; decided once, when it has ended. */
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
