import { incompleteBeta } from './beta.js';
import { binomialTerm } from './binomial.js';
import { normalQuantile } from './normal.js';

/** Each multiplies t by e at most: enough for any double. */
const MAX_STEPS = 1_000;
/** From here on each step squares its size, down to rounding. */
const NEAR = 1e-8;

/**
 * Probability that Student's t is at least `t`: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1.
 *
 * @param degrees of freedom, > 0; need be no integer
 * @throws RangeError the degrees are not positive and finite, or t is no number
 */
export function studentTSurvival(t: number, degrees: number): number {
  checkDegrees(degrees);
  if (Number.isNaN(t)) throw new RangeError('t must be a number');
  if (!Number.isFinite(t)) return t > 0 ? 0 : 1;
  const square = t * t;
  const total = degrees + square;
  const tail = incompleteBeta(degrees / 2, 0.5, degrees / total, square / total) / 2;
  return t < 0 ? 1 - tail : tail;
}

/** Probability that Student's t is at most `t`: see `studentTSurvival`. */
export function studentTCdf(t: number, degrees: number): number {
  return studentTSurvival(-t, degrees);
}

/**
 * The t below which a share of Student's distribution lies: Newton's method on the logarithms of t and of the tail,
 * from the quantile of the normal distribution.
 *
 * @param share 0 to 1, both excluded
 * @param degrees of freedom, > 0; need be no integer
 * @returns infinite beyond 1e154
 * @throws RangeError an argument is out of its range
 */
export function studentTQuantile(share: number, degrees: number): number {
  checkDegrees(degrees);
  if (!(share > 0 && share < 1)) throw new RangeError(`share must lie between 0 and 1, got ${share}`);
  if (share === 0.5) return 0;
  if (share < 0.5) return -upperQuantile(share, degrees);
  return upperQuantile(1 - share, degrees);
}

/** @param tail below 0.5 */
function upperQuantile(tail: number, degrees: number): number {
  let t = -normalQuantile(tail);
  let last = Infinity;
  for (let step = 0; step < MAX_STEPS; step++) {
    const survival = studentTSurvival(t, degrees);
    // The square of t is no double any more.
    if (survival === 0) return Infinity;
    const slope = scaledDensity(t, degrees) / survival;
    const change = Math.log(survival / tail) / slope;
    // Near the median the tail hardly changes with the logarithm of t.
    t *= Math.exp(Math.min(1, Math.max(-1, change)));
    // Steps that no longer shrink are rounding.
    if (Math.abs(change) <= NEAR && Math.abs(change) >= last / 2) break;
    last = Math.abs(change);
  }
  return t;
}

/**
 * t times the density, the tail's derivative by the logarithm of t: x^(degrees / 2) √y / B(degrees / 2, 1/2), with
 * x = degrees / (degrees + t²) and y = 1 − x, as a term of a binomial distribution.
 */
function scaledDensity(t: number, degrees: number): number {
  const square = t * t;
  const total = degrees + square;
  const term = binomialTerm(degrees / 2, (degrees + 1) / 2, degrees / total, square / total);
  return (term * degrees) / (2 * (degrees + 1));
}

function checkDegrees(degrees: number): void {
  if (degrees > 0 && Number.isFinite(degrees)) return;
  throw new RangeError(`degrees must be positive and finite, got ${degrees}`);
}
