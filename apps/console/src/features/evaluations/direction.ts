import { LATENCY } from './results.js';

/** Of these, as parts of names, less is better, unless somebody says otherwise. */
const LESS =
  /(?:^|[._\s-])(?:latency|duration|cost|price|tokens?|errors?|loss|perplexity|distance|ms|seconds)(?:$|[._\s,-])/i;

/** Of these, neither more nor less is better, unless somebody says so: what a judge flipped tells of the judge. */
const NEITHER = /(?:^|[._\s-])(?:length|count|characters|words|chars|flipped)(?:$|[._\s,-])/i;

/** Which values of a metric are the better ones. */
export type Direction = 'more' | 'less' | 'neither';

/** @param turned names of metrics for which it is the other way; of those without a direction, less is better then */
export function directionOf(metric: string, turned: readonly string[]): Direction {
  const isTurned = turned.includes(metric);
  if (NEITHER.test(metric)) return isTurned ? 'less' : 'neither';
  return (metric === LATENCY || LESS.test(metric)) === isTurned ? 'more' : 'less';
}

/** How a value compares with the one before. */
export type Change = 'better' | 'worse' | 'same';

/** `same`, too, where neither direction is better. */
export function changeOf(difference: number, direction: Direction): Change {
  if (difference === 0 || direction === 'neither') return 'same';
  return difference < 0 === (direction === 'less') ? 'better' : 'worse';
}
