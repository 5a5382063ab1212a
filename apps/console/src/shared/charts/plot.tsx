import 'uplot/dist/uPlot.min.css';

import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';

import { drawable } from './value-range.js';

const HEIGHT = 160;

/** A colour, size or typeface of the theme. */
export const themed = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** How the axes of all plots look. */
export const axisStyle = () => ({
  stroke: themed('--text-muted'),
  grid: { stroke: themed('--border'), width: 1 },
  font: `${themed('--text-small')} ${themed('--font')}`,
});

interface Props {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  readonly xs: readonly number[];
  /** One list for each series after the first. */
  readonly ys: readonly (readonly (number | null)[])[];
  /** Of the plot with its axes. */
  readonly height?: number;
  /** Read once, when the plot is made: give another `key` where they change. */
  readonly options: () => Omit<uPlot.Options, 'width' | 'height'>;
}

/** A plot as wide as there is room, whose values grow while one watches. */
export function Plot({ label, xs, ys, height = HEIGHT, options }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const [make] = useState(() => options);
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const chosen = make();
    const width = Math.max(100, element.clientWidth);
    const nothing = chosen.series.map(() => []) as unknown as uPlot.AlignedData;
    const made = new uPlot({ ...chosen, width, height }, nothing, element);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [make, height]);
  useEffect(() => {
    chart.current?.setData([[...xs], ...ys.map(drawable)] as uPlot.AlignedData);
  }, [xs, ys]);
  return <div ref={host} role="img" aria-label={label} />;
}
