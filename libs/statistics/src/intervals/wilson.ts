import { checkCount, checkLevel } from '../data/checks.js';
import { clip, DEFAULT_LEVEL, type Interval } from '../data/interval.js';
import { twoSidedNormal } from './two-sided.js';

/**
 * A rate with Wilson's score interval: E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209.
 *
 * @param successes integer 0 to `trials`
 * @param trials integer >= 1
 * @returns a rate, 0 to 1; method `wilson`
 * @throws RangeError a count or the level is out of its range
 */
export function wilsonInterval(successes: number, trials: number, level = DEFAULT_LEVEL): Interval {
  checkLevel(level);
  checkCount('trials', trials, 1);
  checkCount('successes', successes);
  if (successes > trials) throw new RangeError(`successes must be at most ${trials}, got ${successes}`);
  return wilsonOfRate(successes / trials, trials, level);
}

/** The interval of a rate among as many trials, which need be no integer. */
export function wilsonOfRate(rate: number, trials: number, level: number): Interval {
  const z = twoSidedNormal(level);
  const share = (z * z) / trials;
  const centre = (rate + share / 2) / (1 + share);
  const half = (z * Math.sqrt((rate * (1 - rate)) / trials + share / (4 * trials))) / (1 + share);
  return {
    estimate: rate,
    low: clip(centre - half, 0, rate),
    high: clip(centre + half, rate, 1),
    level,
    method: 'wilson',
  };
}
