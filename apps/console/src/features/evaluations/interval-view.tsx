import { formatCount, formatMetric } from '../../shared/format/format.js';
import type { Interval } from './bootstrap.js';
import { changeOf, type Direction } from './direction.js';
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

interface DifferenceProps {
  readonly difference: Interval | null;
  readonly direction: Direction;
}

/** A paired difference; one whose interval leaves out 0 is marked, and coloured by whether it is better. */
export function DifferenceView({ difference, direction }: DifferenceProps) {
  if (!difference) return null;
  const { mean, low, high } = difference;
  const isClear = low > 0 || high < 0;
  const change = isClear ? changeOf(mean, direction) : 'same';
  const signed = (value: number) => `${value > 0 ? '+' : ''}${formatMetric(value)}`;
  return (
    <div
      className={isClear ? styles['clear'] : styles['muted']}
      data-change={change}
      title="Paired difference to the first run, 95 % interval"
    >
      Δ {signed(mean)} ({signed(low)} … {signed(high)}){isClear && (change === 'same' ? ' ●' : ` ● ${change}`)}
    </div>
  );
}
