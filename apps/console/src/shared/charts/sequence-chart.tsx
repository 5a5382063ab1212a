import { useMemo } from 'react';
import uPlot from 'uplot';

import styles from './line-chart.module.css';
import { axisStyle, Plot, themed } from './plot.js';
import { valueRange } from './value-range.js';

/** Of the surface between the ends of the intervals, in percent. */
const FAINT = 22;
/** Intervals are wide at first: a low picture would hide how they narrow. */
const HEIGHT = 240;

/** An estimate with its interval, after some of the values. */
export interface SequencePoint {
  readonly x: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

interface Props {
  readonly title: string;
  /** What is counted from left to right, and what is shown of it. */
  readonly axes: readonly [x: string, y: string];
  readonly points: readonly SequencePoint[];
  /** A value that the interval has to leave behind. */
  readonly mark: { readonly label: string; readonly value: number };
  readonly format: (value: number) => string;
}

/** How an estimate and its interval narrow down, with lines at zero and at what decides. */
export function SequenceChart({ title, axes, points, mark, format }: Props) {
  // Before the first value nothing is known; the lines begin there.
  const xs = useMemo(() => [0, ...points.map(({ x }) => x)], [points]);
  const ys = useMemo(
    () => [
      [null, ...points.map(({ low }) => low)],
      [null, ...points.map(({ high }) => high)],
      [null, ...points.map(({ estimate }) => estimate)],
      [0, ...points.map(() => 0)],
      ...(mark.value === 0 ? [] : [[mark.value, ...points.map(() => mark.value)]]),
    ],
    [points, mark.value],
  );
  const last = points.at(-1);
  const label = last
    ? `${title} over ${last.x} ${axes[0]}: ${format(last.estimate)}, ${format(last.low)} to ${format(last.high)}`
    : title;
  return (
    <figure className={styles['figure']}>
      <figcaption>{title}</figcaption>
      <Plot {...{ label, xs, ys }} height={HEIGHT} key={ys.length} options={() => optionsOf({ axes, mark, format })} />
    </figure>
  );
}

function optionsOf({ axes: [x, y], mark, format }: Pick<Props, 'axes' | 'mark' | 'format'>) {
  const [axis, line] = [axisStyle(), themed('--series-1')];
  const faint = `color-mix(in srgb, ${line} ${FAINT}%, transparent)`;
  const end = { stroke: faint, width: 1, points: { show: false } };
  const value = (_chart: uPlot, shown: number | null) => (shown === null ? '–' : format(shown));
  const level = { width: 1, points: { show: false }, value };
  const label = { labelFont: axis.font, labelSize: 18, labelGap: 2 };
  const series: uPlot.Series[] = [
    { label: x },
    { label: 'lower end', value, ...end },
    { label: 'upper end', value, ...end },
    { label: 'estimate', value, stroke: line, width: 2, points: { show: true } },
    { label: 'no difference', stroke: themed('--text-muted'), ...level },
    ...(mark.value === 0 ? [] : [{ label: mark.label, stroke: themed('--warn'), dash: [6, 4], ...level }]),
  ];
  return {
    series,
    bands: [{ series: [2, 1] as [number, number], fill: faint }],
    scales: {
      x: { time: false, range: (_chart: uPlot, _min: number, max: number): uPlot.Range.MinMax => [0, max || 1] },
      y: { range: (_chart: uPlot, min: number | null, max: number | null) => valueRange(min, max) },
    },
    axes: [
      { ...axis, ...label, size: 32, label: x },
      { ...axis, ...label, size: 56, label: y, values: (_chart: uPlot, splits: number[]) => splits.map(format) },
    ],
    hooks: { draw: [(chart: uPlot) => drawIntervals(chart, faint)] },
  };
}

/** Each interval on its own: of a single one there is no surface. */
function drawIntervals(chart: uPlot, stroke: string): void {
  const [xs, lows, highs] = chart.data;
  const { ctx } = chart;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 2 * uPlot.pxRatio;
  ctx.beginPath();
  for (const [at, one] of xs.entries()) {
    const [low, high] = [lows?.[at] ?? null, highs?.[at] ?? null];
    if (low === null || high === null) continue;
    const x = chart.valToPos(one, 'x', true);
    ctx.moveTo(x, chart.valToPos(low, 'y', true));
    ctx.lineTo(x, chart.valToPos(high, 'y', true));
  }
  ctx.stroke();
  ctx.restore();
}
