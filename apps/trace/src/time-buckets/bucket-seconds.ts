const STEPS = [60, 300, 900, 3_600, 21_600, 86_400];
const FEW_BUCKETS = 200;
const MOST_BUCKETS = 10_000;

/**
 * Seconds of a bucket: the least step with at most 200 buckets; what is asked for, raised until there are at most 10,000.
 *
 * @param spanSeconds the time that is cut into buckets
 */
export function bucketSeconds(spanSeconds: number, asked?: number): number {
  const fitting = (most: number) => Math.max(1, Math.ceil(spanSeconds / most));
  if (asked !== undefined) return Math.max(asked, fitting(MOST_BUCKETS));
  return STEPS.find((step) => spanSeconds / step <= FEW_BUCKETS) ?? Math.max(86_400, fitting(MOST_BUCKETS));
}
