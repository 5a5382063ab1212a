import type { Line } from '../../../shared/charts/line-chart.js';
import { byInterest, type Curve } from '../curves.js';

/** How many jobs: as many as a chart has lines that one can tell apart. */
export const COMPARED = { min: 2, max: 4 } as const;

/** One figure of several jobs. */
export interface ComparedCurve {
  readonly name: string;
  /** Steps of the longest of them. */
  readonly xs: readonly number[];
  /** In the order of the jobs; a job without the figure has none. */
  readonly lines: readonly Line[];
}

/** Which lines are shown of a curve that is smoothed. */
export type Shown = 'both' | 'means' | 'values';

export interface JobCurves {
  readonly label: string;
  readonly curves: readonly Curve[];
}

/** The figures that any of the jobs has, as one job shows them: what people look at first comes first. */
export function compareCurves(jobs: readonly JobCurves[], shown: Shown): readonly ComparedCurve[] {
  const names = [...new Set(jobs.flatMap(({ curves }) => curves.map(({ name }) => name)))];
  return names.sort(byInterest).map((name) => {
    const found = jobs.flatMap(({ label, curves }) => {
      const curve = curves.find((one) => one.name === name);
      return curve ? [{ label, curve }] : [];
    });
    const steps = Math.max(...found.map(({ curve }) => curve.xs.length));
    return {
      name,
      xs: Array.from({ length: steps }, (_, index) => index + 1),
      lines: jobs.map(({ label }) => toLine(label, found.find((one) => one.label === label)?.curve, steps, shown)),
    };
  });
}

/** A job keeps its colour in every chart, also in those of figures that it lacks. */
function toLine(label: string, curve: Curve | undefined, steps: number, shown: Shown): Line {
  const { ys = [], smooth } = curve ?? {};
  if (!smooth || shown === 'values') return { label, ys: padded(ys, steps) };
  if (shown === 'means') return { label, ys: padded(smooth, steps) };
  return { label, ys: padded(ys, steps), smooth: padded(smooth, steps) };
}

const padded = (ys: readonly (number | null)[], steps: number): readonly (number | null)[] => [
  ...ys,
  ...Array.from<null>({ length: steps - ys.length }).fill(null),
];

/** Where a curve ended: its mean, or its last value where it is too short to have one. Null: it has no value. */
export function lastOf({ ys, smooth }: Curve): number | null {
  return (smooth ?? ys).findLast((value) => value !== null) ?? null;
}
