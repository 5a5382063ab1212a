import { checkCount } from '../data/checks.js';
import { binomialCdf } from '../distributions/binomial.js';

/**
 * Exact two-sided McNemar test of paired passes and fails: are they equally often won and lost? Q. McNemar,
 * Psychometrika 12 (1947) 153, with the binomial distribution of the pairs that differ.
 *
 * @param wins pairs that only the candidate passed, integer >= 0
 * @param losses pairs that only the baseline passed, integer >= 0
 * @returns p-value, 0 to 1; 1 if no pair differs
 * @throws RangeError a count is no integer >= 0
 */
export function mcnemarExact(wins: number, losses: number): number {
  checkCount('wins', wins);
  checkCount('losses', losses);
  return Math.min(1, 2 * binomialCdf(Math.min(wins, losses), wins + losses, 0.5));
}
