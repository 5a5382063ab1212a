import { logGamma } from '../distributions/log-gamma.js';
import type { Xoshiro128 } from './xoshiro128.js';

/** Where fewer successes are expected, counting up from 0 takes few steps. */
const MIN_EXPECTED = 10;

/**
 * A random number of successes in `trials` independent trials.
 *
 * Counts up by inversion where few successes are expected (V. Kachitvichyanukul and B. W. Schmeiser, Communications of the
 * ACM 31 (1988) 216, algorithm BINV), else by transformed rejection (W. Hörmann, Journal of Statistical Computation and
 * Simulation 46 (1993) 101, algorithm BTRS): its time does not depend on the number of trials.
 *
 * @param trials integer >= 0
 * @param chance of success, 0 to 1
 */
export function drawBinomial(random: Xoshiro128, trials: number, chance: number): number {
  if (trials === 0 || chance <= 0) return 0;
  if (chance >= 1) return trials;
  if (chance > 0.5) return trials - drawBinomial(random, trials, 1 - chance);
  return trials * chance < MIN_EXPECTED ? byInversion(random, trials, chance) : byRejection(random, trials, chance);
}

function byInversion(random: Xoshiro128, trials: number, chance: number): number {
  const odds = chance / (1 - chance);
  let left = random.fraction();
  let probability = Math.exp(trials * Math.log1p(-chance));
  let successes = 0;
  while (left > probability && successes < trials) {
    left -= probability;
    successes++;
    probability *= ((trials + 1) / successes - 1) * odds;
  }
  return successes;
}

function byRejection(random: Xoshiro128, trials: number, chance: number): number {
  const deviation = Math.sqrt(trials * chance * (1 - chance));
  const b = 1.15 + 2.53 * deviation;
  const a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * deviation;
  const logOdds = Math.log(chance / (1 - chance));
  const mode = Math.floor((trials + 1) * chance);
  const logMode = logGamma(mode + 1) + logGamma(trials - mode + 1);
  for (;;) {
    const v = random.fraction();
    const u = random.fraction() - 0.5;
    const us = 0.5 - Math.abs(u);
    const successes = Math.floor(((2 * a) / us + b) * u + trials * chance + 0.5);
    if (us >= 0.07 && v <= squeeze) return successes;
    if (!(successes >= 0 && successes <= trials)) continue;
    const height = Math.log((v * alpha) / (a / us ** 2 + b));
    const logDensity = logMode - logGamma(successes + 1) - logGamma(trials - successes + 1);
    if (height <= logDensity + (successes - mode) * logOdds) return successes;
  }
}
