import { effectiveCount, type PlanPilot, studentTQuantile } from '@hone/statistics';

import { chancesOf } from './label-draw.js';

/** As many uncertainties stand for all: their chances are those of the calls nearest to them. */
const QUANTILES = 200;
/** Least calls whose labels a queue is planned with. */
const MIN_SIZE = 20;

/** Labelled calls, and how unsure the judge is of each. */
export interface DrawPilot extends PlanPilot {
  readonly uncertainties: readonly number[];
}

/**
 * How many calls a label queue has to draw so that the mean is known within ± `width`. With chances π, and e what a label
 * differs from a + λ · verdict, the standard error² of N calls is (var(label) + E[e² (1/π − 1)]) / N (Zrnic and Candès, see
 * `weightedMean`); both are estimated from the pilot, with weights 1/chance.
 *
 * @param pilot at least 2 calls
 * @param uncertainties of all calls that may be drawn
 * @param most that may be drawn
 * @returns null: not even the most are enough
 */
export function drawPlan(
  pilot: DrawPilot,
  uncertainties: readonly number[],
  width: number,
  level: number,
  most: number,
): number | null {
  const calls = uncertainties.length;
  const residuals = residualsOf(pilot);
  const sorted = [...uncertainties].sort((a, b) => a - b);
  const quantiles = Array.from(
    { length: Math.min(QUANTILES, calls) },
    (_none, at, count = Math.min(QUANTILES, calls)) => sorted[Math.floor(((at + 0.5) / count) * calls)] as number,
  );
  const nearest = pilot.uncertainties.map((value) => nearestOf(quantiles, value));
  const reaches = (size: number): boolean => {
    const chances = chancesOf(quantiles, (size / calls) * quantiles.length);
    const inverse = (at: number) => 1 / (chances[nearest[at] as number] as number);
    const missing = residuals.shares.reduce(
      (sum, share, at) => sum + share * (residuals.squares[at] as number) * (inverse(at) - 1),
      0,
    );
    const effective = quantiles.length / chances.reduce((sum, chance) => sum + 1 / chance, 0);
    const t = studentTQuantile((1 + level) / 2, Math.max(1, effective * calls - 1));
    return t * Math.sqrt((residuals.variance + missing) / calls) <= width;
  };
  let [from, to] = [Math.min(MIN_SIZE, calls), Math.min(most, calls)];
  if (!reaches(to)) return null;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (reaches(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** What labels differ from the line through verdicts that `weightedMean` predicts them by, and how they vary. */
function residualsOf({ human, judge, chances }: DrawPilot) {
  const weights = human.map((_label, at) => 1 / (chances?.[at] ?? 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => weight / total);
  const meanOf = (valueOf: (at: number) => number) => shares.reduce((sum, share, at) => sum + share * valueOf(at), 0);
  const [h, j] = [(at: number) => human[at] as number, (at: number) => judge[at] as number];
  const [meanHuman, meanJudge] = [meanOf(h), meanOf(j)];
  const effective = effectiveCount(weights);
  const unbias = effective / Math.max(1, effective - 1);
  const covariance = meanOf((at) => (h(at) - meanHuman) * (j(at) - meanJudge));
  const spread = meanOf((at) => (j(at) - meanJudge) ** 2);
  const lambda = spread > 0 ? Math.min(1, Math.max(0, covariance / spread)) : 0;
  const squares = human.map((_label, at) => unbias * (h(at) - meanHuman - lambda * (j(at) - meanJudge)) ** 2);
  return { shares, squares, variance: unbias * meanOf((at) => (h(at) - meanHuman) ** 2) };
}

/** Index of the value nearest to another in an ascending list. */
function nearestOf(ascending: readonly number[], value: number): number {
  let [from, to] = [0, ascending.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((ascending[middle] as number) + (ascending[middle + 1] as number) >= 2 * value) to = middle;
    else from = middle + 1;
  }
  return from;
}
