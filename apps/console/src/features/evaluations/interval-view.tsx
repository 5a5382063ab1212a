import { formatCount, formatMetric } from '../../shared/format/format.js';
import type { Interval } from './bootstrap.js';
import styles from './evaluations.module.css';

/** How many rows a run misses; where nobody knows, a dash. */
export const formatMissing = (missing: number | null | undefined): string =>
  typeof missing === 'number' ? formatCount(missing) : '–';

/** A mean with its interval, and over how many rows it is. */
export function IntervalView({ interval }: { readonly interval: Interval | null }) {
  if (!interval) return <span className={styles['muted']}>–</span>;
  const { mean, low, high, count } = interval;
  return (
    <span title={`95 % interval over ${count} rows`}>
      <b>{formatMetric(mean)}</b>{' '}
      <span className={styles['muted']}>
        {formatMetric(low)} … {formatMetric(high)}, n = {formatCount(count)}
      </span>
    </span>
  );
}
