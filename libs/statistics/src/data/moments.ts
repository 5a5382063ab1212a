import { checkCount, checkValues } from './checks.js';

/** What a mean's interval needs of many values, so that a database can aggregate them: `count`, `avg`, `var_samp`. */
export interface Moments {
  /** Integer >= 0. */
  readonly count: number;
  /** Of no values: 0. */
  readonly mean: number;
  /** Divided by `count - 1`. Of fewer than two values: 0. */
  readonly variance: number;
}

export const NO_VALUES: Moments = { count: 0, mean: 0, variance: 0 };

/**
 * Count, mean and sample variance, in two passes.
 *
 * @throws RangeError a value is not finite
 */
export function momentsOf(values: readonly number[]): Moments {
  checkValues('values', values, 0);
  const count = values.length;
  if (count === 0) return NO_VALUES;
  const mean = meanOf(values);
  const squares = sumOf(values, (value) => (value - mean) ** 2);
  return { count, mean, variance: count > 1 ? squares / (count - 1) : 0 };
}

/**
 * Moments of two groups taken together: Chan, Golub and LeVeque, The American Statistician 37 (1983) 242.
 */
export function poolMoments(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const count = a.count + b.count;
  const gap = b.mean - a.mean;
  const squares = a.variance * (a.count - 1) + b.variance * (b.count - 1) + (gap ** 2 * a.count * b.count) / count;
  return { count, mean: a.mean + (gap * b.count) / count, variance: squares / (count - 1) };
}

/** @throws RangeError the moments are of no list of finite numbers */
export function checkMoments(name: string, moments: Moments): void {
  checkCount(`${name}.count`, moments.count);
  if (!Number.isFinite(moments.mean)) throw new RangeError(`${name}.mean must be finite, got ${moments.mean}`);
  if (moments.variance >= 0 && Number.isFinite(moments.variance)) return;
  throw new RangeError(`${name}.variance must be finite and not negative, got ${moments.variance}`);
}

/** Sum of products of the distances from the means: the covariance times the count. */
export function crossProducts(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  return sumOf(a, (value, at) => (value - meanA) * ((b[at] as number) - meanB));
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

export function sumOf(values: readonly number[], term = (value: number, _at: number): number => value): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += term(values[at] as number, at);
  return sum;
}
