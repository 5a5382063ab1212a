import type { ComparedFigureDto } from '@hone/client';

import styles from './compare.module.css';
import { isBounded } from './metric.js';

const WIDTH = 140;
const HEIGHT = 28;
const MIDDLE = HEIGHT / 2;
const ZERO = WIDTH / 2;
/** Between the widest interval and the edge. */
const EDGE = 8;
const CAP = 5;
const POINT = 4;

interface Props {
  /** The difference and its interval, in words. */
  readonly label: string;
  readonly difference: ComparedFigureDto;
  readonly higherIsBetter: boolean;
  /** Largest loss that is accepted; null: none is named. */
  readonly margin: number | null;
  /** The largest value that is drawn beside it, so that candidates of a metric can be compared. */
  readonly scale: number;
  readonly change: 'better' | 'worse' | 'same';
}

/** A difference with its interval on a line, what is better to the right. The cell around it marks zero, in the middle. */
export function IntervalPlot({ label, difference, higherIsBetter, margin, scale, change }: Props) {
  const sign = higherIsBetter ? 1 : -1;
  const at = (value: number): number => ZERO + (sign * value * (ZERO - EDGE)) / (scale || 1);
  const { estimate } = difference;
  const ends = isBounded(difference) ? [at(difference.low), at(difference.high)] : [];
  const loss = margin === null ? null : ZERO - (margin * (ZERO - EDGE)) / (scale || 1);
  return (
    <svg
      className={styles['plot']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
      data-change={change}
    >
      {loss !== null && loss > 0 && <line className={styles['margin']} x1={loss} x2={loss} y1={0} y2={HEIGHT} />}
      {ends.length > 0 && <line x1={ends[0]} x2={ends[1]} y1={MIDDLE} y2={MIDDLE} />}
      {ends.map((x, end) => (
        <line key={end} x1={x} x2={x} y1={MIDDLE - CAP} y2={MIDDLE + CAP} />
      ))}
      {estimate !== null && <circle cx={at(estimate)} cy={MIDDLE} r={POINT} />}
    </svg>
  );
}
