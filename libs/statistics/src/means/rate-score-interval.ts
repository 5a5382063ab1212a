import { clip } from '../data/interval.js';
import type { Moments } from '../data/moments.js';
import { twoSidedNormal } from '../intervals/two-sided.js';
import type { LabelledPairs } from './mean-estimate.js';

/** Calls added to each cell of the labels, so that a judge who made no error in them is not taken for infallible. */
export const PSEUDO_COUNT = 0.25;

/**
 * Score interval of a rate that PPI++ estimates: all rates x whose distance from the estimate is at most z standard
 * errors, where the standard error is the one that would hold if x were the rate. Without a judge (λ = 0) it is
 * Wilson's (1927). The judge passes a share s of what people pass, and u of what they fail, both from the labels; so by
 * the law of total variance a label's rectified value y − λ f has the variance
 *
 *   v(x) = x (1 − x) (1 − λ (s − u))² + λ² (x s (1 − s) + (1 − x) u (1 − u)),
 *
 * and (estimate − x)² = z² (v(x) / (n − 1) + λ² var(f of others) / N) is a quadratic equation whose roots are the ends.
 * Ours: the construction, and 1/4 call added to each cell of labels. `coverage.spec.ts` measures it: with five judges
 * and rates of 10 to 90 % it holds the rate in 93.6 to 96.9 % of samples of 50 labels (95.4 % on average), and in 94.2
 * to 95.8 % of samples of 100 or more.
 *
 * @returns ends, 0 to 1
 */
export function rateScoreInterval(
  { human, judge }: LabelledPairs,
  others: Moments,
  lambda: number,
  estimate: number,
  level: number,
): [low: number, high: number] {
  const labels = human.length;
  const passRate = (truth: number): number => {
    const verdicts = judge.filter((_verdict, at) => human[at] === truth);
    const passed = verdicts.reduce((sum, verdict) => sum + verdict, 0);
    return (passed + PSEUDO_COUNT) / (verdicts.length + 2 * PSEUDO_COUNT);
  };
  const [s, u] = [passRate(1), passRate(0)];
  const square = twoSidedNormal(level) ** 2;
  const [noiseS, noiseU] = [lambda ** 2 * s * (1 - s), lambda ** 2 * u * (1 - u)];
  // Of v(x) / (n - 1) + ...: terms of x (1 - x), of x, and of 1.
  const curve = (square * (1 - lambda * (s - u)) ** 2) / (labels - 1);
  const slope = (square * (noiseS - noiseU)) / (labels - 1);
  const base = square * (noiseU / (labels - 1) + (lambda ** 2 * others.variance) / others.count);
  const centre = (2 * estimate + curve + slope) / (2 * (1 + curve));
  const half = Math.sqrt(Math.max(0, centre ** 2 - (estimate ** 2 - base) / (1 + curve)));
  const point = clip(estimate, 0, 1);
  return [clip(centre - half, 0, point), clip(centre + half, point, 1)];
}
