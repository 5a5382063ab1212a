import type { ReactNode } from 'react';

import styles from './time-chart.module.css';
import type { TimeSeries } from './time-series.js';

const SERIES_COLOURS = 8;

/** The colour of a series, as `data-series`. */
export const toneOf = ({ tone }: TimeSeries, index: number): string => tone ?? String(index % SERIES_COLOURS);

/** The largest sum of all series at one of the times. @param count of times */
export function mostStacked(series: readonly TimeSeries[], count: number): number {
  let most = 0;
  for (let at = 0; at < count; at++)
    most = Math.max(
      most,
      series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    );
  return most;
}

/** A bar for each time, of one part for each series, the first at its foot. */
export function stackedBars(
  series: readonly TimeSeries[],
  times: readonly number[],
  placeOf: (index: number) => { x: number; width: number },
  yOf: (value: number) => number,
): ReactNode {
  return times.map((ms, at) => {
    let below = 0;
    return series.map((one, index) => {
      const value = one.values[at] ?? 0;
      const from = below;
      below += value;
      if (value <= 0) return null;
      return (
        <rect
          key={`${ms} ${one.label}`}
          className={styles['bar']}
          data-series={toneOf(one, index)}
          {...placeOf(at)}
          y={yOf(below)}
          height={yOf(from) - yOf(below)}
        />
      );
    });
  });
}
