import { checkPairs, isBinary } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { type Moments, momentsOf, poolMoments } from '../data/moments.js';
import type { LabelledPairs, MeanEstimate } from './mean-estimate.js';
import { ppiMean } from './ppi-mean.js';
import { judgeOnlyMean, labelsOnlyMean } from './single-source-means.js';
import { weightedMean } from './weighted-mean.js';

/** Fewer labels than these correct no judge: their own variance is not known. */
export const MIN_LABELS = 20;

/** Judged calls, some of which people labelled. */
export interface JudgedCalls extends LabelledPairs {
  /** Chance with which each labelled call was drawn; absent: all had the same. */
  readonly chances?: readonly number[];
  /** Verdicts of the calls without a label. */
  readonly others: Moments;
  /** Labels and verdicts are 0 or 1. */
  readonly isRate: boolean;
}

/**
 * The mean of a criterion over calls, by the best estimator that the labels allow: with `MIN_LABELS` of them `ppiMean`,
 * or `weightedMean` if they were drawn with unequal chances, or `labelsOnlyMean` if every call is labelled; else
 * `judgeOnlyMean`, whose result says so.
 *
 * @throws RangeError fewer than two calls, verdicts that are no rate although `isRate`, or as the estimators
 */
export function estimateMean(data: JudgedCalls, level = DEFAULT_LEVEL): MeanEstimate {
  const { human, judge, chances, others, isRate } = data;
  if (isRate && !(isBinary(human) && isBinary(judge))) throw new RangeError('labels and verdicts of a rate are 0 or 1');
  if (human.length < MIN_LABELS) return judgeOnlyMean(poolMoments(momentsOf(judge), others), isRate, level);
  if (chances !== undefined) checkPairs(['human', 'chances'], human, chances);
  if (chances?.some((chance) => chance !== chances[0])) return weightedMean({ human, judge, chances }, others, level);
  // Of a single call without label no variance is known.
  if (others.count < 2) return labelsOnlyMean(human, human.length + others.count, level);
  return ppiMean({ human, judge }, others, level);
}
