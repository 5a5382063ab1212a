import { binomialTerm } from './binomial.js';

const TINY = 1e-300;
const EPSILON = 1e-16;
/** Of the continued fraction, which needs in the order of the root of the larger parameter. */
const MAX_TERMS = 1_000_000;

/**
 * The regularized incomplete beta function I_x(a, b): continued fraction 8.17.22 of the NIST Digital Library of
 * Mathematical Functions, summed by Lentz's method.
 *
 * @param a > 0
 * @param b > 0
 * @param x 0 to 1
 * @param y `1 - x`, which the caller knows to more digits where x is near 1
 */
export function incompleteBeta(a: number, b: number, x: number, y: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, y, x);
  // x^a y^b / (a B(a, b)), as a term of a binomial distribution.
  const front = (binomialTerm(a, a + b, x, y) * b) / (a + b);
  return front * continuedFraction(a, b, x);
}

function continuedFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < EPSILON) break;
  }
  return value;
}

const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
