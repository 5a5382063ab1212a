import { checkLevel, checkPairs } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { sumOf } from '../data/moments.js';
import { effectiveCount } from '../data/weights.js';
import { twoSidedNormal } from '../intervals/two-sided.js';

/** A direction whose rest is below this share of its length lies in the span of the others. */
const DEPENDENT = 1e-10;

/**
 * Pearson's correlation of two lists, with Fisher's z interval: R. A. Fisher, Metron 1 (1921) 3.
 *
 * @param x finite numbers, at least 4
 * @param y of the same length
 * @param weights as of `partialCorrelation`
 * @returns −1 to 1, method `fisher-z`; null: one list is constant
 * @throws RangeError the lists are too short, differ in length or hold no finite number
 */
export function pearson(
  x: readonly number[],
  y: readonly number[],
  level = DEFAULT_LEVEL,
  weights?: readonly number[],
): Interval | null {
  return partialCorrelation(x, y, [], level, weights);
}

/**
 * Correlation of two lists given others: of what least squares on the others leaves of both. Its interval is Fisher's,
 * with one degree of freedom less for each list: R. A. Fisher, Metron 3 (1924) 329.
 *
 * @param x finite numbers, at least 4 more than there are controls
 * @param y of the same length
 * @param controls lists of the same length
 * @param weights of the pairs, above 0, such as 1/chance of calls drawn with unequal chances: the interval is that of as
 *   many pairs of equal weight as tell as much (`effectiveCount`)
 * @returns −1 to 1, method `fisher-z`; null: the controls determine one of the lists, or of so unequal weights there is no interval
 * @throws RangeError the lists are too short, differ in length or hold no finite number
 */
export function partialCorrelation(
  x: readonly number[],
  y: readonly number[],
  controls: readonly (readonly number[])[],
  level = DEFAULT_LEVEL,
  weights: readonly number[] = x.map(() => 1),
): Interval | null {
  checkLevel(level);
  checkPairs(['x', 'weights'], x, weights);
  checkPairs(['x', 'y'], x, y, 4 + controls.length);
  controls.forEach((control, at) => checkPairs(['x', `controls[${at}]`], x, control));
  const basis: number[][] = [];
  for (const control of controls) {
    const direction = residualOf(control, basis, weights);
    if (direction !== null) basis.push(direction);
  }
  const [restX, restY] = [residualOf(x, basis, weights), residualOf(y, basis, weights)];
  const degrees = effectiveCount(weights) - controls.length - 3;
  if (restX === null || restY === null || !(degrees > 0)) return null;
  const r = clip(dot(restX, restY), -1, 1);
  const half = twoSidedNormal(level) / Math.sqrt(degrees);
  const z = Math.atanh(r);
  return { estimate: r, low: Math.tanh(z - half), high: Math.tanh(z + half), level, method: 'fisher-z' };
}

/**
 * What is left of the values, centred and times the root of their weights, beside orthonormal directions: Gram-Schmidt, twice for full precision.
 *
 * @returns of length 1; null: nothing is left but rounding
 */
function residualOf(
  values: readonly number[],
  basis: readonly number[][],
  weights: readonly number[],
): number[] | null {
  const mean = dot(values, weights) / sumOf(weights);
  const roots = weights.map(Math.sqrt);
  let rest = values.map((value, at) => (value - mean) * (roots[at] as number));
  const length = Math.sqrt(dot(rest, rest));
  for (const direction of [...basis, ...basis]) {
    const share = dot(rest, direction);
    rest = rest.map((value, at) => value - share * (direction[at] as number));
  }
  const left = Math.sqrt(dot(rest, rest));
  const scale = Math.max(length * DEPENDENT, Math.abs(mean) * Math.sqrt(sumOf(weights)) * 1e-14);
  return left <= scale ? null : rest.map((value) => value / left);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sumOf(a, (value, at) => value * (b[at] as number));
}
