import { checkLevel, checkValues } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { momentsOf } from '../data/moments.js';
import { studentTQuantile, studentTSurvival } from '../distributions/student-t.js';
import type { PpiDifference } from '../means/ppi-difference.js';

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
  /** `ppi++ t`: of a difference that labels correct. */
  readonly method: 'paired t' | 'ppi++ t';
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
  checkMargin(margin);
  const { count, mean, variance } = momentsOf(differences);
  const found = { estimate: mean, standardError: Math.sqrt(variance / count), degrees: count - 1 };
  return { ...boundOf(found, margin, higherIsBetter, level), method: 'paired t' };
}

/**
 * The same of a difference that labels correct, by its standard error and degrees of freedom.
 *
 * @throws RangeError a negative margin
 */
export function correctedNonInferiority(
  { estimate, standardError, labels, level }: PpiDifference,
  margin: number,
  higherIsBetter: boolean,
): NonInferiority {
  checkMargin(margin);
  const found = { estimate, standardError, degrees: labels - 1 };
  return { ...boundOf(found, margin, higherIsBetter, level), method: 'ppi++ t' };
}

function checkMargin(margin: number): void {
  if (!(margin >= 0 && Number.isFinite(margin))) throw new RangeError(`margin must be 0 or more, got ${margin}`);
}

function boundOf(
  { estimate, standardError, degrees }: { estimate: number; standardError: number; degrees: number },
  margin: number,
  higherIsBetter: boolean,
  level: number,
): Omit<NonInferiority, 'method'> {
  const sign = higherIsBetter ? 1 : -1;
  const gain = sign * estimate;
  const lowest = gain - studentTQuantile(level, degrees) * standardError;
  return {
    ...{ estimate, bound: sign * lowest, pValue: pValueOf(gain + margin, standardError, degrees) },
    ...{ isNonInferior: lowest > -margin, margin, level },
  };
}

/** Differences that do not vary leave no doubt. */
function pValueOf(distance: number, standardError: number, degrees: number): number {
  if (standardError === 0) return distance > 0 ? 0 : 1;
  return studentTSurvival(distance / standardError, degrees);
}
