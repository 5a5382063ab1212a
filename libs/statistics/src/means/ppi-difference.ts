import { checkLevel, checkPairs } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { checkMoments, type Moments } from '../data/moments.js';
import { studentTSurvival } from '../distributions/student-t.js';
import { twoSidedT } from '../intervals/two-sided.js';
import type { LabelledPairs, MeanEstimate } from './mean-estimate.js';
import { ppiEstimate } from './ppi-mean.js';

/** A mean difference that people's labels correct. */
export interface PpiDifference extends Omit<MeanEstimate, 'method'> {
  readonly method: 'ppi++ t';
  /** Two-sided, of no difference: that of the interval's t. */
  readonly pValue: number;
}

/**
 * Mean difference of two runs by prediction-powered inference (see `ppiMean`), of rows whose outputs people labelled in
 * both: label and verdict of a row are the candidate's minus the baseline's. The interval is Student's t, whatever the
 * values are: differences of 0 and 1 are no rates.
 *
 * @param pairs differences of the labelled rows, at least 2
 * @param others the judge's differences of the rows without labels; fewer than 2 are left out
 * @throws RangeError too few labels, a number that is not finite, a level out of its range
 */
export function ppiDifference(pairs: LabelledPairs, others: Moments, level = DEFAULT_LEVEL): PpiDifference {
  checkLevel(level);
  checkPairs(['human', 'judge'], pairs.human, pairs.judge, 2);
  checkMoments('others', others);
  const { estimate, standardError, lambda } = ppiEstimate(pairs, others);
  const labels = pairs.human.length;
  const half = twoSidedT(level, labels - 1) * standardError;
  return {
    ...{ estimate, low: estimate - half, high: estimate + half, level, method: 'ppi++ t' },
    ...{ labels, calls: labels + others.count, judgeOnly: false, standardError, lambda },
    pValue: pValueOf(estimate, standardError, labels - 1),
  };
}

/** Differences that do not vary leave no doubt. */
function pValueOf(estimate: number, standardError: number, degrees: number): number {
  if (standardError === 0) return estimate === 0 ? 1 : 0;
  return Math.min(1, 2 * studentTSurvival(Math.abs(estimate) / standardError, degrees));
}
