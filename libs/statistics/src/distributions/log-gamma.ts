/**
 * Lanczos coefficients for g = 607/128: P. Godfrey, A note on the computation of the convergent Lanczos approximation,
 * 2001.
 */
const LANCZOS = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  0.00003399464998481189, 0.00004652362892704858, -0.00009837447530487956, 0.0001580887032249125,
  -0.00021026444172410488, 0.00021743961811521265, -0.0001643181065367639, 0.00008441822398385275,
  -0.000026190838401581408, 0.0000036899182659531625,
];
const G = 607 / 128;
const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;
/** Above it, six terms of Stirling's series are exact. */
const SERIES_FROM = 16;

/** Logarithm of the gamma function. @param x > 0 */
export function logGamma(x: number): number {
  const sum = LANCZOS.reduce((total, coefficient, at) => total + (at === 0 ? coefficient : coefficient / (x + at)), 0);
  const shifted = x + G + 0.5;
  return (x + 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + Math.log(sum / x);
}

/**
 * Error of Stirling's formula: log Γ(x + 1) − [(x + 1/2) log x − x + log √(2π)]. Its series: NIST Digital Library of
 * Mathematical Functions, 5.11.1.
 *
 * @param x > 0
 */
export function stirlingError(x: number): number {
  if (x <= SERIES_FROM) return logGamma(x + 1) - (x + 0.5) * Math.log(x) + x - HALF_LOG_TWO_PI;
  const square = x * x;
  const tail = (1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360_360 / square) / square) / square) / square;
  return (1 / 12 - (1 / 360 - tail) / square) / x;
}
