import { DEFAULT_LEVEL } from '../data/interval.js';
import { wilsonOfRate } from './wilson.js';

/** How often one side of pairs is the better one. */
export interface WinRate {
  /** Share of the pairs, 0 to 1; a tie counts half. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Pairs. */
  readonly rows: number;
}

/**
 * The share of pairs that the second side wins, with Wilson's interval of a rate of as many trials. Values of ties vary less than
 * those of a rate, so that the interval is at least as wide as it has to be.
 *
 * @param differences second side minus first
 * @returns null: there is no pair
 */
export function winRate(differences: readonly number[], level = DEFAULT_LEVEL): WinRate | null {
  const rows = differences.length;
  if (rows === 0) return null;
  const wins = differences.reduce((sum, difference) => sum + (1 + Math.sign(difference)) / 2, 0);
  const { estimate, low, high } = wilsonOfRate(wins / rows, rows, level);
  return { estimate, low, high, rows };
}
