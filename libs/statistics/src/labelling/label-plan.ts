import { checkChances, checkCount, checkLevel, checkPairs, isBinary } from '../data/checks.js';
import { clip, DEFAULT_LEVEL } from '../data/interval.js';
import { sumOf } from '../data/moments.js';
import { effectiveCount } from '../data/weights.js';
import { twoSidedT } from '../intervals/two-sided.js';
import type { LabelledPairs } from '../means/mean-estimate.js';
import { PSEUDO_COUNT } from '../means/rate-score-interval.js';

/** How many labels reach a half-width. */
export interface LabelPlan {
  /** Labels that reach it together with the judge (PPI++). Null: not even labels of all calls but two do. */
  readonly withJudge: number | null;
  /** Labels that reach it alone. Null: not even labels of all calls do. */
  readonly withoutJudge: number | null;
  /** Half-width wanted. */
  readonly halfWidth: number;
  readonly level: number;
  /** Judged calls. */
  readonly calls: number;
  /** Labelled pairs that the variances are from; 0: the worst case. */
  readonly pilot: number;
}

/** Variances and covariance of labels and verdicts, as they are in all calls. */
interface Spread {
  readonly human: number;
  readonly judge: number;
  readonly covariance: number;
}

/** Labelled pairs whose variances a plan is made of. */
export interface PlanPilot extends LabelledPairs {
  /** Chance with which each labelled call was drawn; absent: all had the same. */
  readonly chances?: readonly number[];
}

/**
 * Labels, drawn with equal chances, after which a mean is known within ± `halfWidth`. With n labels of `calls` the
 * standard error² is var(y − λ f)/n + λ² var(f)/(calls − n), with the λ of `ppiMean`; without the judge it is var(y)/n.
 * The half-width is Student's t with n − 1 degrees of freedom times the standard error.
 *
 * @param pilot labelled pairs, at least 2; their variances are as sure as they are many. Pairs that were drawn with
 *   unequal chances count by 1/chance
 * @param calls judged calls, at least 4, the labelled ones among them
 * @param halfWidth above 0, in the criterion's unit
 * @throws RangeError an argument is out of its range
 */
export function labelPlan(pilot: PlanPilot, calls: number, halfWidth: number, level = DEFAULT_LEVEL): LabelPlan {
  checkPairs(['human', 'judge'], pilot.human, pilot.judge, 2);
  if (pilot.chances !== undefined) {
    checkPairs(['human', 'chances'], pilot.human, pilot.chances);
    checkChances(pilot.chances);
  }
  return planOf(spreadOf(pilot), pilot.human.length, calls, halfWidth, level);
}

/**
 * The same for the mean difference of two runs (see `ppiDifference`): label and verdict of a row are the candidate's minus the
 * baseline's. Differences of 0 and 1 are no rates.
 *
 * @param pilot differences of the rows that people labelled in both runs, at least 2
 * @param rows rows of both runs that the judge compared, at least 4, the labelled ones among them
 * @param halfWidth above 0, in the criterion's unit
 * @throws RangeError an argument is out of its range
 */
export function differencePlan(
  pilot: LabelledPairs,
  rows: number,
  halfWidth: number,
  level = DEFAULT_LEVEL,
): LabelPlan {
  checkPairs(['human', 'judge'], pilot.human, pilot.judge, 2);
  const { length } = pilot.human;
  const shares = pilot.human.map(() => 1 / length);
  return planOf(momentSpread(pilot, shares, length), length, rows, halfWidth, level);
}

/**
 * The plan of which nothing is known but the variance that labels have, or are taken to have: the judge may be of no use.
 *
 * @param variance at least 0
 * @param calls calls or rows, at least 4
 * @param halfWidth above 0, in the criterion's unit
 * @throws RangeError an argument is out of its range
 */
export function variancePlan(variance: number, calls: number, halfWidth: number, level = DEFAULT_LEVEL): LabelPlan {
  if (!(variance >= 0)) throw new RangeError(`variance must be at least 0, got ${variance}`);
  return planOf({ human: variance, judge: 0, covariance: 0 }, 0, calls, halfWidth, level);
}

/**
 * The plan of which nothing is known but the scale: labels have at most the variance (max − min)²/4 (T. Popoviciu,
 * Mathematica 9 (1935) 129), and the judge may be of no use.
 *
 * @param scale least and largest label
 * @param calls judged calls, at least 4
 * @param halfWidth above 0, in the criterion's unit
 * @throws RangeError an argument is out of its range
 */
export function worstCasePlan(
  [min, max]: readonly [min: number, max: number],
  calls: number,
  halfWidth: number,
  level = DEFAULT_LEVEL,
): LabelPlan {
  if (!(max > min)) throw new RangeError(`the scale must end above its start, got ${min} to ${max}`);
  return variancePlan((max - min) ** 2 / 4, calls, halfWidth, level);
}

function planOf(spread: Spread, pilot: number, calls: number, halfWidth: number, level: number): LabelPlan {
  checkLevel(level);
  checkCount('calls', calls, 4);
  if (!(halfWidth > 0)) throw new RangeError(`halfWidth must be above 0, got ${halfWidth}`);
  const reaches = (variance: number, labels: number) => twoSidedT(level, labels - 1) * Math.sqrt(variance) <= halfWidth;
  return {
    withJudge: least(2, calls - 2, (labels) => reaches(ppiVariance(spread, labels, calls), labels)),
    withoutJudge: least(2, calls, (labels) => reaches(spread.human / labels, labels)),
    ...{ halfWidth, level, calls, pilot },
  };
}

function ppiVariance({ human, judge, covariance }: Spread, labels: number, calls: number): number {
  const others = calls - labels;
  const lambda = judge > 0 ? clip((covariance / judge) * (others / calls), 0, 1) : 0;
  const rectified = human - 2 * lambda * covariance + lambda ** 2 * judge;
  return Math.max(0, rectified) / labels + (lambda ** 2 * judge) / others;
}

function spreadOf({ human, judge, chances }: PlanPilot): Spread {
  const weights = chances?.map((chance) => 1 / chance) ?? human.map(() => 1);
  const effective = effectiveCount(weights);
  const shares = weights.map((weight) => weight / sumOf(weights));
  if (isBinary(human) && isBinary(judge)) return rateSpread({ human, judge }, shares, effective);
  return momentSpread({ human, judge }, shares, effective);
}

function momentSpread({ human, judge }: LabelledPairs, shares: readonly number[], effective: number): Spread {
  const centred = (values: readonly number[]) => {
    const mean = sumOf(values, (value, at) => value * (shares[at] as number));
    return values.map((value) => value - mean);
  };
  const [h, j] = [centred(human), centred(judge)];
  // Of one effective label no variance is known.
  const unbias = effective / Math.max(1, effective - 1);
  const product = (a: readonly number[], b: readonly number[]) =>
    unbias * sumOf(a, (value, at) => value * (b[at] as number) * (shares[at] as number));
  return { human: product(h, h), judge: product(j, j), covariance: product(h, j) };
}

/** With calls added to each cell, so that a pilot without errors does not promise an exact rate. */
function rateSpread({ human, judge }: LabelledPairs, shares: readonly number[], effective: number): Spread {
  const total = effective + 4 * PSEUDO_COUNT;
  const shareOf = (passes: (at: number) => boolean, cells: number) =>
    (effective * sumOf(shares, (share, at) => (passes(at) ? share : 0)) + cells * PSEUDO_COUNT) / total;
  const passed = shareOf((at) => human[at] === 1, 2);
  const judged = shareOf((at) => judge[at] === 1, 2);
  const both = shareOf((at) => human[at] === 1 && judge[at] === 1, 1);
  return { human: passed * (1 - passed), judge: judged * (1 - judged), covariance: both - passed * judged };
}

/** The first integer from `low` to `high` that is enough, by bisection: more are enough then, too. */
function least(low: number, high: number, isEnough: (count: number) => boolean): number | null {
  if (!isEnough(high)) return null;
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isEnough(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
