/** A mean and the interval in which it would lie in most samples of the same kind. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Values that it is made of. */
  readonly count: number;
}

const CONFIDENCE = 0.95;
const RESAMPLES = { least: 200, most: 2_000 };
/** Values drawn for one interval, at most: more rows need fewer samples for an interval as steady. */
const MAX_DRAWS = 4_000_000;
const SEED = 0x9e3779b9;

/**
 * The mean with its 95 % interval by the percentile bootstrap: means of samples that are drawn from the values with
 * replacement, between their 2.5th and 97.5th percentile (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
 * section 13.3). Of differences between two runs on the same rows this is the paired interval. Random numbers are seeded,
 * so that everybody sees the same interval.
 *
 * @param values of rows, which were drawn independently of each other
 * @returns null: there are no values
 */
export function bootstrapMean(values: readonly number[]): Interval | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = sum(values) / count;
  if (values.every((value) => value === values[0])) return { mean, low: mean, high: mean, count };
  const resamples = Math.min(RESAMPLES.most, Math.max(RESAMPLES.least, Math.floor(MAX_DRAWS / count)));
  const random = mulberry32(SEED);
  const means = Float64Array.from({ length: resamples }, () => {
    let total = 0;
    for (let draw = 0; draw < count; draw++) total += values[Math.floor(random() * count)] as number;
    return total / count;
  }).sort();
  const tail = (1 - CONFIDENCE) / 2;
  return { mean, low: percentile(means, tail), high: percentile(means, 1 - tail), count };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** @param sorted ascending @param share 0 to 1; between two values it is interpolated */
function percentile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

/** Mulberry32 by Tommy Ettinger, 2017: a generator of 32 bits of state. @returns numbers from 0 to below 1 */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
