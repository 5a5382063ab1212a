import { toNanoUsd } from '@hone/calls';

import type { Endpoint } from '../../shared/endpoint.js';
import type { ModelPrice, TokenCounts, UsageRecord, UsageStatus } from './usage-record.js';

const TOKENS_PER_PRICE = 1_000_000;
const MS_PER_MINUTE = 60_000;

/** A price in USD per million tokens; of caches, absent: as of the prompt; of reasoning, absent: as of the completion. */
type UsdPrice = Pick<ModelPrice, 'prompt' | 'completion'> & Partial<ModelPrice>;

/** Converts a configured price. */
export function toModelPrice({ prompt, cached, cacheWrite, completion, reasoning }: UsdPrice): ModelPrice {
  return {
    prompt: toNanoUsd(prompt),
    cached: toNanoUsd(cached ?? prompt),
    cacheWrite: toNanoUsd(cacheWrite ?? prompt),
    completion: toNanoUsd(completion),
    reasoning: toNanoUsd(reasoning ?? completion),
  };
}

/** Prices in USD: of an image, of a million characters, of a minute. Absent: 0. */
interface UnitPrices {
  readonly image?: number;
  readonly characters?: number;
  readonly minute?: number;
}

/** What a million units of an endpoint cost, in nano-USD; see {@link TokenCounts.units}. */
export function unitPriceOf({ image = 0, characters = 0, minute = 0 }: UnitPrices, endpoint: Endpoint): number {
  switch (endpoint) {
    case 'images/generations':
    case 'images/edits':
      return toNanoUsd(image) * TOKENS_PER_PRICE;
    case 'audio/speech':
      return toNanoUsd(characters);
    case 'audio/transcriptions':
    case 'audio/translations':
      return toNanoUsd((minute / MS_PER_MINUTE) * TOKENS_PER_PRICE);
    default:
      return 0;
  }
}

/** Nano-USD, rounded to the nearest. Parts that are larger than the whole, which an upstream miscounted, are cut to it. */
export function costOf(tokens: TokenCounts, price: ModelPrice): number {
  const { promptTokens, completionTokens } = tokens;
  const cached = Math.min(tokens.cachedTokens, promptTokens);
  const written = Math.min(tokens.cacheWriteTokens, promptTokens - cached);
  const reasoned = Math.min(tokens.reasoningTokens, completionTokens);
  const fresh = promptTokens - cached - written;
  const answered = completionTokens - reasoned;
  const { units = 0 } = tokens;
  const { unit = 0 } = price;
  const total =
    fresh * price.prompt +
    cached * price.cached +
    written * price.cacheWrite +
    answered * price.completion +
    reasoned * price.reasoning +
    units * unit;
  // Integers up to 2^53 are exact; beyond, the products need BigInt.
  if (total < Number.MAX_SAFE_INTEGER - TOKENS_PER_PRICE) {
    const rounded = total + TOKENS_PER_PRICE / 2;
    return (rounded - (rounded % TOKENS_PER_PRICE)) / TOKENS_PER_PRICE;
  }
  const exact =
    BigInt(fresh) * BigInt(price.prompt) +
    BigInt(cached) * BigInt(price.cached) +
    BigInt(written) * BigInt(price.cacheWrite) +
    BigInt(answered) * BigInt(price.completion) +
    BigInt(reasoned) * BigInt(price.reasoning) +
    BigInt(units) * BigInt(unit);
  return Number((exact + BigInt(TOKENS_PER_PRICE / 2)) / BigInt(TOKENS_PER_PRICE));
}

/** Complete answers are billed, and what was produced until a caller left; failures are not. */
export function isBilled(status: UsageStatus, tokens: TokenCounts): boolean {
  const { promptTokens, completionTokens, units = 0 } = tokens;
  return status === 'ok' || (status === 'aborted' && promptTokens + completionTokens + units > 0);
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
