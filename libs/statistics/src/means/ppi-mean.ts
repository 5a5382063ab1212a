import { checkLevel, checkPairs, isBinary } from '../data/checks.js';
import { clip, DEFAULT_LEVEL } from '../data/interval.js';
import { checkMoments, crossProducts, type Moments, momentsOf, poolMoments } from '../data/moments.js';
import { twoSidedT } from '../intervals/two-sided.js';
import type { LabelledPairs, MeanEstimate } from './mean-estimate.js';
import { rateScoreInterval } from './rate-score-interval.js';
import { symmetricInterval } from './symmetric-interval.js';

/**
 * Mean by prediction-powered inference, of calls labelled with equal chances: A. N. Angelopoulos, J. C. Duchi and T.
 * Zrnic, PPI++: Efficient Prediction-Powered Inference, arXiv 2311.01453, 2023. With labels y, verdicts f of n labelled
 * calls and N others:
 *
 * - estimate = λ mean(f of others) + mean(y − λ f);
 * - λ = cov(y, f) / (var(f) (1 + n/N)), clipped to [0, 1]: the weight of least variance. As in the
 *   authors' package, the covariance is divided by n and the variance, of all verdicts, by n + N − 1;
 * - standard error² = var(y − λ f)/n + λ² var(f of others)/N.
 *
 * Valid for any judge; a bad one gains nothing. The interval is Student's t with n − 1 degrees of freedom. If labels
 * and verdicts are 0 or 1, it is the score interval `rateScoreInterval`: t's holds a rate of 10 % in only 88 % of
 * samples of 50 labels.
 *
 * @param pairs at least 2
 * @param others verdicts of the calls without a label: at least 2 of them
 * @throws RangeError too few labels or calls, a number that is not finite, a level out of its range
 */
export function ppiMean(pairs: LabelledPairs, others: Moments, level = DEFAULT_LEVEL): MeanEstimate {
  checkLevel(level);
  const { human, judge } = pairs;
  checkPairs(['human', 'judge'], human, judge, 2);
  checkMoments('others', others);
  if (others.count < 2) throw new RangeError(`others must hold at least 2 calls, got ${others.count}`);
  const labels = human.length;
  const { estimate, standardError, lambda } = ppiEstimate(pairs, others);
  const shared = { standardError, lambda, level, labels, calls: labels + others.count, judgeOnly: false };
  if (isBinary(human) && isBinary(judge) && others.mean >= 0 && others.mean <= 1) {
    const [low, high] = rateScoreInterval(pairs, others, lambda, estimate, level);
    return { ...shared, estimate: clip(estimate, 0, 1), low, high, method: 'ppi++ score' };
  }
  const half = twoSidedT(level, labels - 1) * standardError;
  return { ...shared, ...symmetricInterval(human, estimate, half), method: 'ppi++ t' };
}

/** The estimate of `ppiMean` alone. Fewer than two others, whose variance is not known, are left out. */
export function ppiEstimate({ human, judge }: LabelledPairs, others: Moments) {
  const labels = human.length;
  const isAlone = others.count < 2;
  const lambda = isAlone ? 0 : ppiLambda(crossProducts(human, judge) / labels, momentsOf(judge), others);
  const rectified = momentsOf(human.map((label, at) => label - lambda * (judge[at] as number)));
  const variance = rectified.variance / labels + (isAlone ? 0 : (lambda ** 2 * others.variance) / others.count);
  return { estimate: rectified.mean + lambda * others.mean, standardError: Math.sqrt(variance), lambda };
}

/**
 * Weight of the judge: see `ppiMean`. A judge that always says the same has weight 0.
 *
 * @param covariance of labels and verdicts, divided by the labels
 */
export function ppiLambda(covariance: number, judged: Moments, others: Moments): number {
  const { variance } = poolMoments(judged, others);
  return variance > 0 ? clip(covariance / (variance * (1 + judged.count / others.count)), 0, 1) : 0;
}
