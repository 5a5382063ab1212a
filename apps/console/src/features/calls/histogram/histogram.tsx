import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

import { mostStacked, stackedBars } from '../../../shared/charts/stacked-bars.js';
import { bucketLabel, timeLabel, timeTicks, valueTicks } from '../../../shared/charts/ticks.js';
import type { TimeSeries } from '../../../shared/charts/time-series.js';
import { formatCount } from '../../../shared/format/format.js';
import { useShortcuts } from '../../../shared/keyboard/shortcuts.js';
import { bucketAt, type Buckets, bucketsOf, type Choice, moved, timeOf } from './buckets.js';
import styles from './histogram.module.css';
import type { Counts } from './use-histogram.js';

const WIDTH = 1_000;
const HEIGHT = 100;
/** Share of a bucket that its bar takes. */
const BAR = 0.86;

const KEYS = {
  title: 'In the calls over time',
  shortcuts: [
    ['← →', 'choose a time; with Shift, a longer one'],
    ['Enter', 'look into the chosen time'],
    ['Esc', 'choose none'],
  ],
} as const;

interface Props {
  readonly counts: Counts;
  /** Takes the time that was chosen. Unix milliseconds, the end excluded. */
  readonly choose: (start: number, end: number) => void;
}

/**
 * How many of the calls began when, those that failed at the foot of each bar. A time is chosen by dragging over it, or by
 * the arrow keys, with Shift a longer one, and Enter. To assistive technology it is a slider over its buckets.
 */
export function Histogram({ counts, choose }: Props) {
  const { span, times, calls, failed } = counts;
  const area = useRef<HTMLDivElement>(null);
  const [choice, setChoice] = useState<Choice | null>(null);
  useShortcuts(KEYS);
  const isDragging = useRef(false);
  const buckets = bucketsOf(span, times);
  const series = seriesOf(counts);
  const top = valueTicks(mostStacked(series, times.length), true).at(-1) as number;
  const length = buckets.widthMs * buckets.count;
  const xOf = (ms: number) => (WIDTH * (ms - buckets.first)) / length;
  const chosen = choice && timeOf(buckets, span, [choice.anchor, choice.active]);
  const apply = () => {
    if (chosen) choose(...chosen);
    setChoice(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, event.shiftKey, choice, buckets.count);
    if (next) setChoice(next);
    else if (event.key === 'Enter') apply();
    else if (event.key === 'Escape' && choice) setChoice(null);
    else return;
    event.preventDefault();
  };
  const bucketUnder = ({ clientX }: PointerEvent): number => {
    const { left, width } = (area.current as HTMLDivElement).getBoundingClientRect();
    return bucketAt(buckets, buckets.first + (length * (clientX - left)) / Math.max(1, width));
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isDragging.current = true;
    const at = bucketUnder(event);
    setChoice({ anchor: at, active: at });
  };
  const onPointerMove = (event: PointerEvent) => {
    const at = bucketUnder(event);
    setChoice((before) => ({ anchor: isDragging.current && before ? before.anchor : at, active: at }));
  };
  const end = (isApplied: boolean) => () => {
    if (!isDragging.current) return;
    isDragging.current = false;
    if (isApplied) apply();
    else setChoice(null);
  };
  const words = inWords(counts, buckets, chosen);
  const total = sumOf(calls);
  return (
    <figure className={styles['histogram']}>
      <figcaption className={styles['words']}>
        {words || `${formatCount(total)} ${total === 1 ? 'call' : 'calls'}, ${formatCount(sumOf(failed))} failed`}
        {words === '' && <span className={styles['hint']}>Drag over a time to look into it</span>}
      </figcaption>
      <div
        ref={area}
        className={styles['area']}
        role="slider"
        aria-label="Calls over time; arrows choose a time, with Shift a longer one, Enter shows it"
        aria-valuemin={1}
        aria-valuemax={buckets.count}
        aria-valuenow={choice === null ? 1 : choice.active + 1}
        aria-valuetext={words || 'no time is chosen'}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setChoice(null)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={end(true)}
        onPointerCancel={end(false)}
        onPointerLeave={() => !isDragging.current && setChoice(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          {stackedBars(
            series,
            times,
            (index) => ({ x: xOf(times[index] as number), width: (WIDTH * BAR) / buckets.count }),
            (value) => HEIGHT - (HEIGHT * value) / top,
          )}
        </svg>
        {chosen && (
          <span
            className={styles['chosen']}
            style={{ left: `${xOf(chosen[0]) / 10}%`, width: `${(xOf(chosen[1]) - xOf(chosen[0])) / 10}%` }}
          />
        )}
        <span className={styles['most']} aria-hidden>
          {formatCount(top)}
        </span>
      </div>
      <ol className={styles['times']} aria-hidden>
        {labelsOf(buckets.first, length).map(({ ms, label }) => (
          <li key={ms} style={{ left: `${xOf(ms) / 10}%` }}>
            {label}
          </li>
        ))}
      </ol>
    </figure>
  );
}

const seriesOf = ({ calls, failed }: Counts): readonly TimeSeries[] => [
  { label: 'Failed', tone: 'bad', values: failed },
  { label: 'Not failed', tone: 'plain', values: calls.map((count, index) => count - (failed[index] ?? 0)) },
];

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Of a few days some begin twice. */
function labelsOf(start: number, length: number): readonly { ms: number; label: string }[] {
  const labels = timeTicks(start, start + length).map((ms) => ({ ms, label: timeLabel(ms, length / 1_000) }));
  return labels.filter(({ label }, at) => label !== labels[at - 1]?.label);
}

/** What is chosen, with what it has; '': nothing is. */
function inWords(
  { times, calls, failed }: Counts,
  { widthMs }: Buckets,
  chosen: readonly [number, number] | null,
): string {
  if (chosen === null) return '';
  const [start, end] = chosen;
  const within = times.map((time) => time + widthMs > start && time < end);
  const [count, bad] = [calls, failed].map((counts) => sumOf(counts.filter((_, index) => within[index])));
  const label = bucketLabel(start, Math.round((end - start) / 1_000));
  return `${label}: ${formatCount(count ?? 0)} calls, ${formatCount(bad ?? 0)} failed`;
}
