import { checkLevel, checkPairs } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { meanOf, sumOf } from '../data/moments.js';
import { twoSidedNormal } from '../intervals/two-sided.js';

/** A direction whose rest is below this share of its length lies in the span of the others. */
const DEPENDENT = 1e-10;

/**
 * Pearson's correlation of two lists, with Fisher's z interval: R. A. Fisher, Metron 1 (1921) 3.
 *
 * @param x finite numbers, at least 4
 * @param y of the same length
 * @returns −1 to 1, method `fisher-z`; null: one list is constant
 * @throws RangeError the lists are too short, differ in length or hold no finite number
 */
export function pearson(x: readonly number[], y: readonly number[], level = DEFAULT_LEVEL): Interval | null {
  return partialCorrelation(x, y, [], level);
}

/**
 * Correlation of two lists given others: of what least squares on the others leaves of both. Its interval is Fisher's,
 * with one degree of freedom less for each list: R. A. Fisher, Metron 3 (1924) 329.
 *
 * @param x finite numbers, at least 4 more than there are controls
 * @param y of the same length
 * @param controls lists of the same length
 * @returns −1 to 1, method `fisher-z`; null: the controls determine one of the lists
 * @throws RangeError the lists are too short, differ in length or hold no finite number
 */
export function partialCorrelation(
  x: readonly number[],
  y: readonly number[],
  controls: readonly (readonly number[])[],
  level = DEFAULT_LEVEL,
): Interval | null {
  checkLevel(level);
  checkPairs(['x', 'y'], x, y, 4 + controls.length);
  controls.forEach((control, at) => checkPairs(['x', `controls[${at}]`], x, control));
  const basis: number[][] = [];
  for (const control of controls) {
    const direction = residualOf(control, basis);
    if (direction !== null) basis.push(direction);
  }
  const [restX, restY] = [residualOf(x, basis), residualOf(y, basis)];
  if (restX === null || restY === null) return null;
  const r = clip(dot(restX, restY), -1, 1);
  const half = twoSidedNormal(level) / Math.sqrt(x.length - controls.length - 3);
  const z = Math.atanh(r);
  return { estimate: r, low: Math.tanh(z - half), high: Math.tanh(z + half), level, method: 'fisher-z' };
}

/**
 * What is left of the values, centred, beside orthonormal directions: Gram-Schmidt, twice for full precision.
 *
 * @returns of length 1; null: nothing is left but rounding
 */
function residualOf(values: readonly number[], basis: readonly number[][]): number[] | null {
  const mean = meanOf(values);
  let rest = values.map((value) => value - mean);
  const length = Math.sqrt(dot(rest, rest));
  for (const direction of [...basis, ...basis]) {
    const share = dot(rest, direction);
    rest = rest.map((value, at) => value - share * (direction[at] as number));
  }
  const left = Math.sqrt(dot(rest, rest));
  const scale = Math.max(length * DEPENDENT, Math.abs(mean) * Math.sqrt(values.length) * 1e-14);
  return left <= scale ? null : rest.map((value) => value / left);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return sumOf(a, (value, at) => value * (b[at] as number));
}
