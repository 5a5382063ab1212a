import type { CallStatsBucketDto } from '@hone/client';

import { formatCount, formatTime } from '../../shared/format/format.js';
import styles from './home.module.css';

const WIDTH = 1_000;
const HEIGHT = 100;
const GAP = 1;

interface Props {
  readonly buckets: readonly CallStatsBucketDto[];
  readonly start: string;
  readonly end: string;
  /** Length of a bucket. */
  readonly seconds: number;
}

/** Calls over time as bars, those that failed at their foot. */
export function BucketChart({ buckets, start, end, seconds }: Props) {
  const begin = Date.parse(start);
  const span = Math.max(1, Date.parse(end) - begin);
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const width = Math.max(2, (WIDTH * seconds * 1_000) / span - GAP);
  const label = `Calls over time; the most in ${formatCount(seconds)} s are ${formatCount(most)}`;
  return (
    <svg
      className={styles['chart']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {buckets.map(({ timestamp, count, error_count }) => {
        const x = (WIDTH * (Date.parse(timestamp) - begin)) / span;
        const height = (HEIGHT * count) / most;
        const failed = (HEIGHT * error_count) / most;
        return (
          <g key={timestamp}>
            <title>{`${formatTime(timestamp)}: ${formatCount(count)} calls, ${formatCount(error_count)} failed`}</title>
            <rect className={styles['all']} x={x} y={HEIGHT - height} width={width} height={height} />
            <rect className={styles['failed']} x={x} y={HEIGHT - failed} width={width} height={failed} />
          </g>
        );
      })}
    </svg>
  );
}
