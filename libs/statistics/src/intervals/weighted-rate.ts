import { checkLevel, checkPairs, isBinary } from '../data/checks.js';
import { DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { sumOf } from '../data/moments.js';
import { effectiveCount } from '../data/weights.js';
import { wilsonOfRate } from './wilson.js';

/**
 * A rate among calls of unequal weights, with Wilson's interval of as many calls of equal weight as tell as much: E. L.
 * Korn and B. I. Graubard, Survey Methodology 24 (1998) 193, with Kish's effective count. Of equal weights it is
 * `wilsonInterval`.
 *
 * @param values 0 or 1
 * @param weights of the values, above 0, such as 1/chance of calls drawn with unequal chances
 * @returns null: there is no value
 * @throws RangeError the lists differ in length, or a value is neither 0 nor 1
 */
export function weightedRate(
  values: readonly number[],
  weights: readonly number[],
  level = DEFAULT_LEVEL,
): Interval | null {
  checkLevel(level);
  if (values.length === 0) return null;
  checkPairs(['values', 'weights'], values, weights);
  if (!isBinary(values)) throw new RangeError('values of a rate are 0 or 1');
  const share = sumOf(values, (value, at) => value * (weights[at] as number)) / sumOf(weights);
  return wilsonOfRate(Math.min(1, share), effectiveCount(weights), level);
}
