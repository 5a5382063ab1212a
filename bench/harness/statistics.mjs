/** @param {ArrayLike<number>} values @param {number} share 0..1 */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => percentile(values, 0.5);

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
