import { SlidingCounts } from './sliding-counts.js';

/** Buckets for each doubling: a quantile is right to within 4.5 percent. */
const PER_DOUBLING = 8;
/** 2^-3 to 2^20 milliseconds: 125 microseconds to 17 minutes; what is outside counts as the nearest. */
const MIN_EXPONENT = -3;
const DOUBLINGS = 23;
const BUCKETS = DOUBLINGS * PER_DOUBLING;

/** Median and 99th percentile, in milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Histogram of times over a sliding window, with buckets of equal ratio. It counts every time, however many there are, in
 * four kilobytes; a list of the last few would forget the slow ones of a busy target at once.
 */
export class LatencyWindow {
  private readonly counts: SlidingCounts;

  constructor(slots: number, slotMs: number) {
    this.counts = new SlidingCounts(slots, slotMs, BUCKETS);
  }

  add(ms: number, nowMs: number): void {
    this.counts.add(bucketOf(ms), nowMs);
  }

  /** Null: there was none. */
  quantiles(nowMs: number): Quantiles | null {
    const sums = Array.from({ length: BUCKETS }, (_, bucket) => this.counts.sum(bucket, nowMs));
    const total = sums.reduce((sum, count) => sum + count, 0);
    return total === 0 ? null : { p50: quantile(sums, total * 0.5), p99: quantile(sums, total * 0.99) };
  }
}

function bucketOf(ms: number): number {
  const bucket = Math.floor((Math.log2(ms) - MIN_EXPONENT) * PER_DOUBLING);
  return Math.max(0, Math.min(BUCKETS - 1, bucket));
}

/** The middle, by ratio, of the bucket in which the `rank`-th of all lies. */
function quantile(counts: readonly number[], rank: number): number {
  let seen = 0;
  const bucket = counts.findIndex((count) => (seen += count) >= rank);
  return 2 ** ((bucket + 0.5) / PER_DOUBLING + MIN_EXPONENT);
}
