import { checkValues } from '../data/checks.js';
import { normalCdf } from '../distributions/normal.js';

/** Distribution of the statistic: of untied ranks, or the normal approximation. */
export type WilcoxonMethod = 'exact' | 'asymptotic';

/** A signed-rank test. */
export interface WilcoxonTest {
  /** Two-sided, 0 to 1. 1 if all differences are 0. */
  readonly pValue: number;
  /** Sum of the ranks of positive differences. */
  readonly statistic: number;
  /** Differences that are not 0: the test drops the others. */
  readonly nonZero: number;
  readonly method: WilcoxonMethod;
}

/** Differences up to which the distribution is enumerated. */
export const EXACT_UP_TO = 50;
/** The enumeration takes time and memory by the square and the cube. */
const MAX_EXACT = 1_000;

/**
 * Two-sided Wilcoxon signed-rank test that differences are symmetric about 0: F. Wilcoxon, Biometrics Bulletin 1 (1945)
 * 80; W. J. Conover, Practical Nonparametric Statistics, 1999, section 5.7. Zeros are dropped and ties share their mean
 * rank. As in `scipy.stats.wilcoxon`: `exact` takes a half rank sum as the next larger of its tail, which is
 * conservative with ties; `asymptotic` corrects the variance for ties, without continuity correction.
 *
 * @param differences finite numbers
 * @param method default: exact up to 50 differences without ties, else asymptotic
 * @throws RangeError a difference is not finite, or exact is asked for more than 1,000 of them
 */
export function wilcoxonSignedRank(differences: readonly number[], method?: WilcoxonMethod): WilcoxonTest {
  checkValues('differences', differences, 0);
  const nonZero = differences.filter((difference) => difference !== 0);
  const { statistic, tieTerm } = rankSum(nonZero);
  const count = nonZero.length;
  const isExact = (method ?? (count <= EXACT_UP_TO && tieTerm === 0 ? 'exact' : 'asymptotic')) === 'exact';
  if (isExact && count > MAX_EXACT) throw new RangeError(`exact takes at most ${MAX_EXACT} differences, got ${count}`);
  const pValue = isExact ? exactPValue(statistic, count) : asymptoticPValue(statistic, count, tieTerm);
  return { pValue, statistic, nonZero: count, method: isExact ? 'exact' : 'asymptotic' };
}

/** @returns the sum of the ranks of positive ones, and the sum of t³ − t over groups of t ties */
function rankSum(differences: readonly number[]): { statistic: number; tieTerm: number } {
  const sorted = [...differences].sort((a, b) => Math.abs(a) - Math.abs(b));
  let statistic = 0;
  let tieTerm = 0;
  for (let from = 0; from < sorted.length;) {
    let to = from + 1;
    while (to < sorted.length && Math.abs(sorted[to] as number) === Math.abs(sorted[from] as number)) to++;
    const positive = sorted.slice(from, to).filter((difference) => difference > 0).length;
    statistic += (positive * (from + 1 + to)) / 2;
    tieTerm += (to - from) ** 3 - (to - from);
    from = to;
  }
  return { statistic, tieTerm };
}

function exactPValue(statistic: number, count: number): number {
  const chances = rankSumChances(count);
  const atMost = chances.slice(0, Math.ceil(statistic) + 1).reduce((sum, chance) => sum + chance, 0);
  const atLeast = chances.slice(Math.floor(statistic)).reduce((sum, chance) => sum + chance, 0);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/** Chance of each rank sum when every rank is positive or negative by the toss of a coin. */
function rankSumChances(count: number): Float64Array {
  const chances = new Float64Array((count * (count + 1)) / 2 + 1);
  chances[0] = 1;
  for (let rank = 1; rank <= count; rank++) {
    for (let sum = (rank * (rank + 1)) / 2; sum >= 0; sum--) {
      const without = chances[sum] as number;
      const added = sum >= rank ? (chances[sum - rank] as number) : 0;
      chances[sum] = (without + added) / 2;
    }
  }
  return chances;
}

function asymptoticPValue(statistic: number, count: number, tieTerm: number): number {
  if (count === 0) return 1;
  const mean = (count * (count + 1)) / 4;
  const variance = (count * (count + 1) * (2 * count + 1)) / 24 - tieTerm / 48;
  return 2 * normalCdf(-Math.abs(statistic - mean) / Math.sqrt(variance));
}
