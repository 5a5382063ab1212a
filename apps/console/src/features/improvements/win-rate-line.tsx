import type { ImprovementWinRateDto } from '@hone/client';

import { formatCount, formatShare } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { changeOf, rateInWords } from './improvement-words.js';
import styles from './improvements.module.css';

const WIDTH = 140;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
/** Room for the point at both ends. */
const EDGE = 5;
const CAP = 5;
const POINT = 4;

const at = (share: number): number => EDGE + share * (WIDTH - 2 * EDGE);

/** How often a candidate wins, with its interval, as numbers and on a line from never to always. */
export function WinRateLine({ rate }: { readonly rate: ImprovementWinRateDto }) {
  const { estimate, low, high, rows } = rate;
  return (
    <span className={styles['rate']}>
      <span title={`95 % interval over ${formatCount(rows)} rows`}>
        <b>{formatShare(estimate)}</b>{' '}
        <span className={page['muted']}>
          {formatShare(low)} to {formatShare(high)}
        </span>
      </span>
      <svg
        className={styles['line']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={rateInWords(rate)}
        data-change={changeOf(rate)}
      >
        <line className={styles['axis']} x1={at(0)} x2={at(1)} y1={MIDDLE} y2={MIDDLE} />
        <line className={styles['half']} x1={at(0.5)} x2={at(0.5)} y1={0} y2={HEIGHT} />
        <line x1={at(low)} x2={at(high)} y1={MIDDLE} y2={MIDDLE} />
        {[low, high].map((end) => (
          <line key={end} x1={at(end)} x2={at(end)} y1={MIDDLE - CAP} y2={MIDDLE + CAP} />
        ))}
        <circle cx={at(estimate)} cy={MIDDLE} r={POINT} />
      </svg>
    </span>
  );
}
