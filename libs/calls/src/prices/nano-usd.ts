const NANO_USD_PER_USD = 1_000_000_000;

/** The whole number of nano-dollars that costs are kept in. */
export const toNanoUsd = (usd: number): number => Math.round(usd * NANO_USD_PER_USD);
export const toUsd = (nanoUsd: number): number => nanoUsd / NANO_USD_PER_USD;
