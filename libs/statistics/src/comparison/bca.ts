import { checkCount, checkLevel, checkValues } from '../data/checks.js';
import { DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { meanOf, sumOf } from '../data/moments.js';
import { normalCdf, normalQuantile } from '../distributions/normal.js';
import { drawBinomial } from '../random/binomial-sampler.js';
import { Xoshiro128 } from '../random/xoshiro128.js';

/** How an interval is bootstrapped. */
export interface BootstrapOptions {
  /** Default 0.95. */
  readonly level?: number;
  /** Samples drawn; default 10,000, or fewer (1,000 at least) of more than 5,000 values. */
  readonly resamples?: number;
  /** Of the random numbers: the same seed gives the same interval. Default 0. */
  readonly seed?: number;
}

const RESAMPLES = { least: 1_000, most: 10_000 };
/** Values drawn for one interval by default: about a second. */
const MAX_DRAWS = 50_000_000;
/** To draw how often a value comes takes as long as to draw some values. */
const VALUES_PER_GROUP = 16;
/** Differences closer to each other than this are equal but for rounding; `mlflow.genai` 3.18 has the same limits. */
const EQUAL = { relative: 1e-9, absolute: 1e-12 };
/** Means of samples closer to the mean than this are ties with it. */
const TIE = 1e-13;

/**
 * The mean of values with a bias-corrected and accelerated (BCa) bootstrap interval: see `bcaInterval`.
 *
 * @param values at least 2, drawn independently of each other, for example differences of paired rows
 * @returns method `bca`; `percentile` where BCa is undefined; `constant` if all values are equal
 * @throws RangeError too few values, one that is not finite, or an option out of its range
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Interval {
  checkValues('values', values, 2);
  const { level = DEFAULT_LEVEL, seed = 0 } = options;
  const affordable = Math.floor(MAX_DRAWS / values.length);
  const { resamples = Math.min(RESAMPLES.most, Math.max(RESAMPLES.least, affordable)) } = options;
  checkCount('resamples', resamples, 2);
  checkLevel(level);
  if (isConstant(values)) return constantInterval(values, level);
  return bcaInterval(values, resampledMeans(values, resamples, new Xoshiro128(seed)), level);
}

/** Means of samples of as many values, drawn with replacement. */
function resampledMeans(values: readonly number[], resamples: number, random: Xoshiro128): Float64Array {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size * VALUES_PER_GROUP > values.length) return plainMeans(Float64Array.from(values), resamples, random);
  const groups = [...counts];
  return Float64Array.from({ length: resamples }, () => groupedMean(groups, values.length, random));
}

function plainMeans(values: Float64Array, resamples: number, random: Xoshiro128): Float64Array {
  const count = values.length;
  const means = new Float64Array(resamples);
  for (let at = 0; at < resamples; at++) {
    let sum = 0;
    for (let draw = 0; draw < count; draw++) sum += values[random.below(count)] as number;
    means[at] = sum / count;
  }
  return means;
}

/** How often each different value is drawn has a multinomial distribution: one binomial after the other. */
function groupedMean(
  groups: readonly (readonly [value: number, times: number])[],
  count: number,
  random: Xoshiro128,
): number {
  let [sum, draws, others] = [0, count, count];
  for (const [value, times] of groups) {
    const drawn = drawBinomial(random, draws, times / others);
    sum += drawn * value;
    draws -= drawn;
    others -= times;
  }
  return sum / count;
}

/**
 * BCa interval of a mean from means of resamples: B. Efron, Journal of the American Statistical Association 82 (1987)
 * 171; B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, section 14.3. As in
 * `scipy.stats.bootstrap`: half of the means that tie with the mean count as below it, the acceleration is the
 * jackknife's, and percentiles are interpolated.
 *
 * @param values at least 2
 * @param means of samples drawn from the values with replacement, at least 2
 * @returns as `bootstrapMean`
 * @throws RangeError too few values or means, one that is not finite, or a level out of its range
 */
export function bcaInterval(
  values: readonly number[],
  means: readonly number[] | Float64Array,
  level = DEFAULT_LEVEL,
): Interval {
  checkLevel(level);
  checkValues('values', values, 2);
  checkCount('the number of means', means.length, 2);
  if (isConstant(values)) return constantInterval(values, level);
  const estimate = meanOf(values);
  const sorted = Float64Array.from(means).sort();
  const bias = normalQuantileOrEnd(shareBelow(sorted, estimate));
  const acceleration = accelerationOf(values, estimate);
  const shareOf = (tail: number): number => {
    const shifted = bias + normalQuantile(tail);
    return normalCdf(bias + shifted / (1 - acceleration * shifted));
  };
  const tail = (1 - level) / 2;
  const shares = [shareOf(tail), shareOf(1 - tail)] as const;
  const isDefined = shares.every((share) => Number.isFinite(share));
  const [low, high] = isDefined ? shares : [tail, 1 - tail];
  const method = isDefined ? 'bca' : 'percentile';
  return { estimate, low: percentile(sorted, low), high: percentile(sorted, high), level, method };
}

export function isConstant(values: readonly number[]): boolean {
  const first = values[0] as number;
  const limit = EQUAL.absolute + EQUAL.relative * Math.abs(first);
  return values.every((value) => Math.abs(value - first) <= limit);
}

function constantInterval(values: readonly number[], level: number): Interval {
  const estimate = meanOf(values);
  return { estimate, low: estimate, high: estimate, level, method: 'constant' };
}

/** Share of means below the estimate, ties counted half. */
function shareBelow(means: Float64Array, estimate: number): number {
  const limit = TIE * Math.max(Math.abs(means[0] as number), Math.abs(means[means.length - 1] as number));
  const below = means.reduce((count, mean) => count + side(mean - estimate, limit), 0);
  return below / means.length;
}

function side(gap: number, limit: number): number {
  if (Math.abs(gap) <= limit) return 0.5;
  return gap < 0 ? 1 : 0;
}

/**
 * The jackknife's estimate: equation 14.15 of Efron and Tibshirani. A mean without one value lies value − mean
 * further.
 */
function accelerationOf(values: readonly number[], mean: number): number {
  const squares = sumOf(values, (value) => (value - mean) ** 2);
  const cubes = sumOf(values, (value) => (value - mean) ** 3);
  return cubes / (6 * squares ** 1.5);
}

function normalQuantileOrEnd(share: number): number {
  if (share <= 0) return -Infinity;
  return share >= 1 ? Infinity : normalQuantile(share);
}

/** @param sorted ascending @param share 0 to 1; between two values it is interpolated */
function percentile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}
