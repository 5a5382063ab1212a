import { checkCount, checkLevel } from '../data/checks.js';
import { DEFAULT_LEVEL } from '../data/interval.js';
import { checkMoments, type Moments } from '../data/moments.js';
import type { SequenceLook } from './sequence-look.js';

/**
 * An interval of an asymptotic confidence sequence, for values without bounds: I. Waudby-Smith, D. Arbour, R. Sinha, E.
 * H. Kennedy and A. Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, Ann. Stat. 52 (2024),
 * theorem 2.2. Of t values with the sample variance σ̂²:
 *
 * - mean ± σ̂ √(2 (tρ² + 1) / (t²ρ²) · log(√(tρ² + 1) / α));
 * - ρ² = (−2 log α + log(−2 log α + 1)) / t*, which makes it narrowest at t* values.
 *
 * Holds the mean at every look from the first on if that comes after enough values, as a central limit theorem does; t*
 * has to be chosen before.
 *
 * @param values at least 2
 * @param narrowestAt t*
 * @throws RangeError fewer than 2 values, a number that is not finite, a level or t* out of its range
 */
export function asymptoticLook(values: Moments, narrowestAt: number, level = DEFAULT_LEVEL): SequenceLook {
  checkLevel(level);
  checkMoments('values', values);
  checkCount('narrowestAt', narrowestAt, 1);
  const { count, mean, variance } = values;
  if (count < 2) throw new RangeError(`values must be at least 2, got ${count}`);
  const alpha = 1 - level;
  const twice = -2 * Math.log(alpha);
  const spread = (count * (twice + Math.log1p(twice))) / narrowestAt;
  // t²ρ² is t times `spread`.
  const half = Math.sqrt(((2 * variance * (spread + 1)) / (count * spread)) * Math.log(Math.sqrt(spread + 1) / alpha));
  return { count, estimate: mean, low: mean - half, high: mean + half };
}
