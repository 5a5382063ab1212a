import { checkLevel, checkValues } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { momentsOf } from '../data/moments.js';
import { studentTQuantile, studentTSurvival } from '../distributions/student-t.js';

/** Whether a candidate is at most a margin worse than the baseline. */
export interface NonInferiority {
  /** Mean difference, candidate minus baseline. */
  readonly estimate: number;
  /**
   * One-sided bound of the mean difference on the worse side: the lower one if higher is better, else the upper one.
   */
  readonly bound: number;
  /** Of a mean difference as bad as the margin. */
  readonly pValue: number;
  /** The bound lies on the better side of the margin. */
  readonly isNonInferior: boolean;
  readonly margin: number;
  /** Of the one-sided bound, 0 to 1. */
  readonly level: number;
  readonly method: 'paired t';
}

/**
 * One-sided paired t test of non-inferiority: S. Wellek, Testing Statistical Hypotheses of Equivalence and
 * Noninferiority, 2010.
 *
 * @param differences candidate minus baseline of each pair, at least 2, in the metric's unit
 * @param margin largest loss that is accepted, >= 0, in the same unit
 * @param higherIsBetter false for cost, latency, length
 * @throws RangeError too few differences, one that is not finite, a negative margin, or a level out of its range
 */
export function nonInferiority(
  differences: readonly number[],
  margin: number,
  higherIsBetter: boolean,
  level = DEFAULT_LEVEL,
): NonInferiority {
  checkLevel(level);
  checkValues('differences', differences, 2);
  if (!(margin >= 0 && Number.isFinite(margin))) throw new RangeError(`margin must be 0 or more, got ${margin}`);
  const { count, mean, variance } = momentsOf(differences);
  const standardError = Math.sqrt(variance / count);
  const sign = higherIsBetter ? 1 : -1;
  const gain = sign * mean;
  const lowest = gain - studentTQuantile(level, count - 1) * standardError;
  return {
    estimate: mean,
    bound: sign * lowest,
    pValue: pValueOf(gain + margin, standardError, count - 1),
    isNonInferior: lowest > -margin,
    margin,
    level,
    method: 'paired t',
  };
}

/** Differences that do not vary leave no doubt. */
function pValueOf(distance: number, standardError: number, degrees: number): number {
  if (standardError === 0) return distance > 0 ? 0 : 1;
  return studentTSurvival(distance / standardError, degrees);
}
