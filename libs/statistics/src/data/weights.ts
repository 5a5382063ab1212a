import { sumOf } from './moments.js';

/**
 * How many values of equal weight tell as much as these: (Σ w)² / Σ w², L. Kish, Survey Sampling, 1965.
 *
 * @param weights above 0
 */
export function effectiveCount(weights: readonly number[]): number {
  return weights.length === 0 ? 0 : sumOf(weights) ** 2 / sumOf(weights, (weight) => weight ** 2);
}
