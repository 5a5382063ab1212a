import { LATENCY } from './results.js';

/** Of these, as parts of names, less is better, unless somebody says otherwise. */
const LESS =
  /(?:^|[._\s-])(?:latency|duration|cost|price|tokens?|errors?|loss|perplexity|distance|ms|seconds)(?:$|[._\s,-])/i;

/** Whether a lower value of a metric is the better one. @param turned names of metrics for which it is the other way */
export const isLessBetter = (metric: string, turned: readonly string[]): boolean =>
  (metric === LATENCY || LESS.test(metric)) !== turned.includes(metric);

/** How a value compares with the one before. */
export type Change = 'better' | 'worse' | 'same';

export function changeOf(difference: number, lessIsBetter: boolean): Change {
  if (difference === 0) return 'same';
  return difference < 0 === lessIsBetter ? 'better' : 'worse';
}
