import { useMemo } from 'react';
import type uPlot from 'uplot';

import styles from './line-chart.module.css';
import { axisStyle, Plot, themed } from './plot.js';
import { valueRange } from './value-range.js';

/** One for each line: a colour of the theme, and dashes for those who do not see it. */
const STROKES = [
  { colour: '--series-1', dash: [] },
  { colour: '--series-2', dash: [8, 4] },
  { colour: '--series-3', dash: [2, 3] },
  { colour: '--series-4', dash: [10, 3, 2, 3] },
] as const;
/** Pixels for the numbers of the steps; they have no title below them. */
const STEPS_HEIGHT = 30;
/** Between the ticks of steps, of which there is no half. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power))
  .sort((a, b) => a - b);
/** Of the values beside their mean. */
const FAINT = 0.4;

/** One curve of a chart. */
export interface Line {
  /** In the legend. */
  readonly label: string;
  /** One for each x; null leaves a gap. */
  readonly ys: readonly (number | null)[];
  /** The same, smoothed. Absent: it has too few points. */
  readonly smooth?: readonly (number | null)[] | undefined;
}

interface Props {
  readonly title: string;
  /** From left to right. */
  readonly xs: readonly number[];
  /** Up to four; further ones repeat the strokes of the first. */
  readonly lines: readonly Line[];
}

/** Rates of learning are small, and counts of tokens large. */
const shortNumber = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)
    ? value.toExponential(1)
    : `${Number(value.toPrecision(4))}`;

const rangeOf = (_chart: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => valueRange(min, max);

/** Curves over each other, which grow while one watches. The figures under the pointer are named in the legend. */
export function LineChart({ title, xs, lines }: Props) {
  const last = lines.length === 1 ? lines[0]?.ys.at(-1) : undefined;
  // Which series there are is fixed when a plot is made.
  const shape = lines.map(({ label, smooth }) => `${label}${smooth ? '~' : ''}`).join();
  const ys = useMemo(() => lines.flatMap((line) => (line.smooth ? [line.ys, line.smooth] : [line.ys])), [lines]);
  return (
    <figure className={styles['figure']}>
      <figcaption>
        {title} <b>{typeof last === 'number' ? last.toPrecision(4) : ''}</b>
      </figcaption>
      <Plot key={shape} label={`${title} over ${xs.length} steps`} {...{ xs, ys }} options={() => optionsOf(lines)} />
    </figure>
  );
}

function optionsOf(lines: readonly Line[]): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = axisStyle();
  return {
    series: [{ label: 'step' }, ...lines.flatMap(seriesOf)],
    scales: { x: { time: false }, y: { range: rangeOf } },
    axes: [
      { ...axis, size: STEPS_HEIGHT, incrs: WHOLE_STEPS },
      { ...axis, size: 66, values: (_chart: uPlot, splits: number[]) => splits.map(shortNumber) },
    ],
  };
}

/** A line that is smoothed has its values faint behind its mean. */
function seriesOf({ label, smooth }: Line, index: number): uPlot.Series[] {
  const { colour: name, dash } = STROKES[index % STROKES.length] ?? STROKES[0];
  const line = { stroke: themed(name), dash: [...dash], width: 2, points: { show: !smooth } };
  if (!smooth) return [{ label, ...line }];
  const faint = { stroke: line.stroke, alpha: FAINT, width: 1, points: { show: false } };
  return [
    { label, ...faint },
    { label: label === 'value' ? 'mean' : `${label} mean`, ...line },
  ];
}
