import type { Uncertainty } from '@hone/contracts';

import type { Criterion } from '../truth/criterion.js';

/** What a judge said of a call. */
export interface JudgedValue {
  readonly verdict: number;
  /** Standard deviation of its votes; null: there was one. */
  readonly spread: number | null;
}

/**
 * How unsure the judge is of each call, relative to each other: the spread of its votes; of one vote the standard deviation
 * that a verdict of pass or fail has whose chance is where the rating stands on its scale. All are equal where neither
 * tells them apart.
 */
export function uncertaintiesOf(
  judged: readonly JudgedValue[],
  { scale }: Criterion,
): { readonly by: Uncertainty; readonly values: readonly number[] } {
  const spreads = judged.flatMap(({ spread }) => (spread === null ? [] : [spread]));
  const mean = spreads.reduce((sum, spread) => sum + spread, 0) / spreads.length;
  if (mean > 0) return { by: 'votes', values: judged.map(({ spread }) => spread ?? mean) };
  if (scale !== null) {
    const [min, max] = scale;
    const values = judged.map(({ verdict }) => Math.sqrt(Math.max(0, (verdict - min) * (max - verdict))));
    if (values.some((value) => value !== values[0])) return { by: 'scale', values };
  }
  return { by: 'equal', values: judged.map(() => 1) };
}
