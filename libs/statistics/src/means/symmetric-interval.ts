import { isBinary } from '../data/checks.js';
import { clip } from '../data/interval.js';

/** An estimate ± its half-width. What labels of 0 and 1 estimate is a rate: it and its ends are clipped to [0, 1]. */
export function symmetricInterval(
  human: readonly number[],
  estimate: number,
  half: number,
): { estimate: number; low: number; high: number } {
  const [least, most] = isBinary(human) ? [0, 1] : [-Infinity, Infinity];
  return {
    estimate: clip(estimate, least, most),
    low: clip(estimate - half, least, most),
    high: clip(estimate + half, least, most),
  };
}
