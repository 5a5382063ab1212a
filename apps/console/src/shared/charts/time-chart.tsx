import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';

import { ChangeMark } from './change-mark.js';
import { mostStacked, stackedBars, toneOf } from './stacked-bars.js';
import { bucketLabel, timeLabel, timeTicks, valueTicks } from './ticks.js';
import styles from './time-chart.module.css';
import type { TimeSeries } from './time-series.js';

interface Props {
  readonly title: string;
  readonly kind: 'bars' | 'lines';
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
  /** Of a bucket. */
  readonly seconds: number;
  /** Starts of the buckets that there are, Unix milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly TimeSeries[];
  readonly format: (value: number) => string;
  /** Where a bucket leads. */
  readonly to?: (start: number, end: number) => string;
}

const WIDTH = 1_000;
const HEIGHT = 100;
/** Share of a bucket that its bar takes. */
const BAR = 0.8;

/**
 * Values over time, with axes. The bucket under the pointer, or that arrow keys lead to, is put into words; a click or Enter
 * opens it. To assistive technology it is a slider over its buckets, whose value is read out.
 */
export function TimeChart(props: Props) {
  const { title, kind, seconds, times, series, format, to } = props;
  const { start, end } = wholeBuckets(props);
  const area = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const [, navigate] = useLocation();
  const isWhole = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
  const ticks = valueTicks(kind === 'bars' ? mostStacked(series, times.length) : mostOf(series), isWhole);
  const top = ticks.at(-1) as number;
  const span = Math.max(1, end - start);
  const xOf = (ms: number) => (WIDTH * (ms - start)) / span;
  const yOf = (value: number) => HEIGHT - (HEIGHT * value) / top;
  const widthMs = Math.min(seconds * 1_000, span);
  const open = (index: number) =>
    to && navigate(to(times[index] as number, (times[index] as number) + seconds * 1_000));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, active, times.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' && active !== null) open(active);
    else return;
    event.preventDefault();
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    const { left, width } = (area.current as HTMLDivElement).getBoundingClientRect();
    const ms = start + (span * (clientX - left)) / Math.max(1, width);
    const index = times.findIndex((time) => ms >= time && ms < time + widthMs);
    setActive(index < 0 ? null : index);
  };
  const words =
    active === null || times[active] === undefined ? '' : inWords(times[active], seconds, series, active, format);
  return (
    <figure className={styles['figure']}>
      <figcaption>
        <b>{title}</b>
      </figcaption>
      <div
        className={styles['plot']}
        role="slider"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={times.length}
        aria-valuenow={active === null ? 0 : active + 1}
        aria-valuetext={words || `${times.length} times with calls`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setActive(null)}
        onClick={() => active !== null && open(active)}
      >
        <ol className={styles['values']} aria-hidden>
          {ticks.toReversed().map((tick) => (
            <li key={tick}>{format(tick)}</li>
          ))}
        </ol>
        <div className={styles['area']} ref={area}>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
            {ticks.map((tick) => (
              <line key={tick} className={styles['grid']} x1={0} x2={WIDTH} y1={yOf(tick)} y2={yOf(tick)} />
            ))}
            {kind === 'bars'
              ? stackedBars(
                  series,
                  times,
                  (index) => ({ x: xOf(times[index] as number), width: (WIDTH * widthMs * BAR) / span }),
                  yOf,
                )
              : series.map((one, index) => {
                  const { line, dots } = pathsOf(one.values, times, (ms) => xOf(ms + widthMs / 2), yOf);
                  return (
                    <g key={one.label} data-series={toneOf(one, index)}>
                      <path className={styles['line']} d={line} />
                      <path className={styles['dots']} d={dots} />
                    </g>
                  );
                })}
          </svg>
          {active !== null && times[active] !== undefined && (
            <span
              className={styles['active']}
              style={{ left: `${(100 * (times[active] - start)) / span}%`, width: `${(100 * widthMs) / span}%` }}
            />
          )}
        </div>
        {words !== '' && (
          <p className={styles['words']} data-side={(active ?? 0) < times.length / 2 ? 'right' : 'left'} aria-hidden>
            {words}
          </p>
        )}
        <ol className={styles['times']} aria-hidden>
          {timeTicks(start, end).map((ms) => (
            <li key={ms} style={{ left: `${(100 * (ms - start)) / span}%` }}>
              {timeLabel(ms, span / 1_000)}
            </li>
          ))}
        </ol>
      </div>
      {series.every(({ values }) => values.every((value) => !value)) && (
        <p className={styles['nothing']}>Nothing in this time.</p>
      )}
      <ul className={styles['legend']}>
        {series.map((one, index) => (
          <li key={one.label}>
            <span className={styles['key']} data-series={toneOf(one, index)} aria-hidden />
            {one.to === undefined ? one.label : <Link to={one.to}>{one.label}</Link>}{' '}
            {typeof one.total === 'number' && <b>{format(one.total)}</b>}
            {one.change && <ChangeMark change={one.change} before={one.before ?? ''} />}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** The time of the chart, widened to buckets that are in it only in part: the newest one, too, is seen as wide as others. */
const wholeBuckets = ({ start, end, seconds, times }: Pick<Props, 'start' | 'end' | 'seconds' | 'times'>) => ({
  start: Math.min(start, times[0] ?? start),
  end: Math.max(end, (times.at(-1) ?? start) + seconds * 1_000),
});

const mostOf = (series: readonly TimeSeries[]): number =>
  series.reduce((most, { values }) => values.reduce<number>((one, value) => Math.max(one, value ?? 0), most), 0);

/** Where there is no value, the line has a gap; a value between two gaps is a dot. */
function pathsOf(
  values: readonly (number | null)[],
  times: readonly number[],
  xOf: (ms: number) => number,
  yOf: (value: number) => number,
): { readonly line: string; readonly dots: string } {
  const isKnown = (at: number) => typeof values[at] === 'number';
  let [line, dots] = ['', ''];
  for (const [at, ms] of times.entries()) {
    if (!isKnown(at)) continue;
    const point = `${xOf(ms)} ${yOf(values[at] as number)}`;
    if (isKnown(at - 1)) line += `L${point}`;
    else if (isKnown(at + 1)) line += `M${point}`;
    else dots += `M${point}h0.01`;
  }
  return { line, dots };
}

function moved(key: string, active: number | null, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight') return active === null ? 0 : Math.min(count - 1, active + 1);
  if (key === 'ArrowLeft') return active === null ? count - 1 : Math.max(0, active - 1);
  return undefined;
}

function inWords(
  ms: number,
  seconds: number,
  series: readonly TimeSeries[],
  at: number,
  format: (value: number) => string,
): string {
  const parts = series.flatMap(({ label, values }) => {
    const value = values[at] ?? null;
    return value === null ? [] : [`${label} ${format(value)}`];
  });
  return `${bucketLabel(ms, seconds)}: ${parts.length === 0 ? 'nothing' : parts.join(', ')}`;
}
