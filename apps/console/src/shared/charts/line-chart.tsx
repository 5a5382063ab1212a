import 'uplot/dist/uPlot.min.css';

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';

import styles from './line-chart.module.css';

const HEIGHT = 170;

interface Props {
  readonly title: string;
  /** From left to right. */
  readonly xs: readonly number[];
  /** One for each x; null leaves a gap. */
  readonly ys: readonly (number | null)[];
  /** The same, smoothed. Absent: it has too few points. */
  readonly smooth?: readonly (number | null)[];
}

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Rates of learning are small, and counts of tokens large. */
const shortNumber = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)
    ? value.toExponential(1)
    : `${Number(value.toPrecision(4))}`;

/** One curve, which grows while one watches. The figure under the pointer is named in the legend. */
export function LineChart({ title, xs, ys, smooth }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const hasSmooth = smooth !== undefined;
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const axis = { stroke: colour('--text-muted'), grid: { stroke: colour('--border'), width: 1 } };
    const line = { stroke: colour('--accent'), width: 2, points: { show: !hasSmooth } };
    const faint = { stroke: colour('--bar'), width: 1, points: { show: false } };
    const made = new uPlot(
      {
        ...{ width: Math.max(100, element.clientWidth), height: HEIGHT },
        scales: { x: { time: false } },
        axes: [axis, { ...axis, size: 66, values: (_chart: uPlot, splits: number[]) => splits.map(shortNumber) }],
        series: hasSmooth
          ? [{ label: 'step' }, { label: 'value', ...faint }, { label: 'mean', ...line }]
          : [{ label: 'step' }, { label: 'value', ...line }],
      },
      hasSmooth ? [[], [], []] : [[], []],
      element,
    );
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [hasSmooth]);
  useEffect(() => {
    chart.current?.setData([[...xs], [...ys], ...(smooth ? [[...smooth]] : [])] as uPlot.AlignedData);
  }, [xs, ys, smooth]);
  const last = ys.at(-1);
  return (
    <figure className={styles['figure']}>
      <figcaption>
        {title} <b>{typeof last === 'number' ? last.toPrecision(4) : ''}</b>
      </figcaption>
      <div ref={host} role="img" aria-label={`${title} over ${xs.length} steps`} />
    </figure>
  );
}
