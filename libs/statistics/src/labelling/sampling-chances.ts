import { checkValues } from '../data/checks.js';
import { sumOf } from '../data/moments.js';

/** Least chance where the caller names none: below it a single label would weigh more than fifty others. */
export const CHANCE_FLOOR = 0.02;

/**
 * Chances with which calls are drawn for labelling, in proportion to how uncertain the judge is of each, so that they
 * add up to the labels wanted: the rule of least variance of T. Zrnic and E. J. Candès, Active Statistical Inference,
 * arXiv 2403.03208, 2024, between a floor and 1. Record them with the labels, for `weightedMean`.
 *
 * @param uncertainties of the calls, >= 0: the judge's expected error, for example √(p (1 − p)) of a pass with chance
 *   p, or the spread of its votes. Only their proportions count; if all are 0, the chances are equal
 * @param labels how many are wanted on average: from `floor` times the calls up to all calls
 * @param floor least chance, above 0, up to 1
 * @returns a chance of each call, `floor` to 1
 * @throws RangeError an uncertainty is negative or not finite, or the labels or the floor are out of their range; of
 *   too many calls for the floor, draw fewer with equal chances first
 */
export function samplingChances(uncertainties: readonly number[], labels: number, floor = CHANCE_FLOOR): number[] {
  checkValues('uncertainties', uncertainties);
  const negative = uncertainties.findIndex((value) => value < 0);
  if (negative >= 0) throw new RangeError(`uncertainties[${negative}] must not be negative`);
  if (!(floor > 0 && floor <= 1)) throw new RangeError(`floor must be above 0 and at most 1, got ${floor}`);
  const calls = uncertainties.length;
  if (!(labels >= floor * calls && labels <= calls)) {
    throw new RangeError(`labels must lie between ${floor * calls} and ${calls}, got ${labels}`);
  }
  const positive = uncertainties.filter((value) => value > 0).length;
  const scale = scaleOf(uncertainties, labels, floor);
  if (scale !== null) return uncertainties.map((value) => Math.min(1, Math.max(floor, value * scale)));
  // Every uncertain call is drawn for sure, and the others share what is left.
  return uncertainties.map((value) => (value > 0 ? 1 : (labels - positive) / (calls - positive)));
}

/**
 * The factor with which the chances add up to the labels. Their sum grows with it, along straight lines between the
 * factors at which a call leaves the floor or reaches 1.
 *
 * @returns null: no factor is enough, as too many uncertainties are 0
 */
function scaleOf(uncertainties: readonly number[], labels: number, floor: number): number | null {
  const positive = uncertainties.filter((value) => value > 0);
  const bends = positive
    .flatMap((value) => [
      { at: floor / value, constant: -floor, slope: value },
      { at: 1 / value, constant: 1, slope: -value },
    ])
    .sort((a, b) => a.at - b.at);
  const zeros = uncertainties.length - positive.length;
  let [constant, slope] = [floor * uncertainties.length, 0];
  for (const bend of bends) {
    if (constant + slope * bend.at >= labels) return scaleBefore(bend.at, positive, labels - floor * zeros, floor);
    constant += bend.constant;
    slope += bend.slope;
  }
  return null;
}

/** The factor on the straight line that ends at a bend, from sums that no subtraction has worn. */
function scaleBefore(bend: number, uncertainties: readonly number[], labels: number, floor: number): number {
  const proportional = uncertainties.filter((value) => floor / value < bend && 1 / value >= bend);
  if (proportional.length === 0) return bend;
  const sure = uncertainties.filter((value) => 1 / value < bend).length;
  const least = uncertainties.length - sure - proportional.length;
  return (labels - sure - floor * least) / sumOf(proportional);
}
