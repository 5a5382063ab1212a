import { checkChances, checkLevel, checkPairs } from '../data/checks.js';
import { clip, DEFAULT_LEVEL } from '../data/interval.js';
import { checkMoments, type Moments, sumOf } from '../data/moments.js';
import { effectiveCount } from '../data/weights.js';
import { twoSidedT } from '../intervals/two-sided.js';
import type { LabelledPairs, MeanEstimate } from './mean-estimate.js';
import { symmetricInterval } from './symmetric-interval.js';

/** Labels that were drawn with chances of their own. */
export interface WeightedPairs extends LabelledPairs {
  /** Chance with which each labelled call was drawn, as recorded: above 0, up to 1. */
  readonly chances: readonly number[];
}

/**
 * Mean of calls labelled with unequal chances: T. Zrnic and E. J. Candès, Active Statistical Inference, arXiv
 * 2403.03208, 2024, with the prediction a + λ f of each call. Call i was drawn (ξ = 1) with its recorded chance π,
 * independently of the others; its term is
 *
 *   a + λ f + (y − a − λ f) ξ/π,
 *
 * the estimate is the mean of the terms, and the standard error² their variance divided by the calls. The intercept a
 * is the mean of y − λ f with weights 1/π (J. Hájek, 1971), so that the estimate does not vary with how many labels
 * were drawn; λ is the weight of least variance, clipped to [0, 1]. The interval is Student's t; its degrees of freedom
 * are the effective number of labels (Σ 1/π)² / Σ 1/π² (L. Kish, Survey Sampling, 1965), less 1.
 *
 * @param pairs at least 2
 * @param others verdicts of the calls without a label
 * @throws RangeError too few labels, a chance outside (0, 1], a number that is not finite, a level out of its range
 */
export function weightedMean(pairs: WeightedPairs, others: Moments, level = DEFAULT_LEVEL): MeanEstimate {
  checkLevel(level);
  const { human, judge, chances } = pairs;
  checkPairs(['human', 'judge'], human, judge, 2);
  checkPairs(['human', 'chances'], human, chances);
  checkChances(chances);
  checkMoments('others', others);

  const labels = human.length;
  const calls = labels + others.count;
  const weights = chances.map((chance) => 1 / chance);
  const weight = sumOf(weights);
  const weightedMeanOf = (values: readonly number[]) =>
    sumOf(values, (value, i) => value * (weights[i] as number)) / weight;
  const [meanHuman, meanJudge] = [weightedMeanOf(human), weightedMeanOf(judge)];

  // The term of a call is meanHuman + label + λ prediction: both parts, of the calls that are labelled.
  const label = human.map((value, i) => (value - meanHuman) * (weights[i] as number));
  const prediction = judge.map((value, i) => (value - meanJudge) * (1 - (weights[i] as number)));
  const gap = others.mean - meanJudge;
  const meanPrediction = (sumOf(prediction) + others.count * gap) / calls;
  const ofOthers = Math.max(0, others.count - 1) * others.variance + others.count * gap ** 2;
  const squaresLabel = sumOf(label, (value) => value ** 2);
  const squaresPrediction = sumOf(prediction, (value) => value ** 2) + ofOthers - calls * meanPrediction ** 2;
  const products = sumOf(label, (value, i) => value * (prediction[i] as number));

  const lambda = squaresPrediction > 0 ? clip(-products / squaresPrediction, 0, 1) : 0;
  const estimate = meanHuman + lambda * meanPrediction;
  const squares = squaresLabel + 2 * lambda * products + lambda ** 2 * squaresPrediction;
  const standardError = Math.sqrt(Math.max(0, squares) / (calls - 1) / calls);
  const half = twoSidedT(level, Math.max(1, effectiveCount(weights) - 1)) * standardError;
  return {
    ...symmetricInterval(human, estimate, half),
    level,
    method: 'active-inference t',
    labels,
    calls,
    judgeOnly: false,
    standardError,
    lambda,
  };
}
