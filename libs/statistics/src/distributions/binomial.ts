import { checkCount } from '../data/checks.js';
import { stirlingError } from './log-gamma.js';

const LOG_TWO_PI = Math.log(2 * Math.PI);
/** Terms of a tail below this share of its sum change no digit. */
const NEGLIGIBLE = 1e-17;

/**
 * Probability of at most `successes` in `trials` independent trials: the sum of the smaller tail, outwards.
 *
 * @param successes integer 0 to `trials`
 * @param chance of one trial, 0 to 1
 * @throws RangeError a count is no integer in its range, or the chance is outside 0 to 1
 */
export function binomialCdf(successes: number, trials: number, chance: number): number {
  checkCount('trials', trials);
  checkCount('successes', successes);
  if (successes > trials) throw new RangeError(`successes must be at most ${trials}, got ${successes}`);
  if (!(chance >= 0 && chance <= 1)) throw new RangeError(`chance must lie between 0 and 1, got ${chance}`);
  if (successes === trials || chance === 0) return 1;
  if (chance === 1) return 0;
  if (successes <= trials * chance) return lowerTail(successes, trials, chance);
  return 1 - lowerTail(trials - successes - 1, trials, 1 - chance);
}

function lowerTail(successes: number, trials: number, chance: number): number {
  let term = binomialTerm(successes, trials, chance, 1 - chance);
  let sum = term;
  const odds = (1 - chance) / chance;
  for (let at = successes; at > 0 && term > sum * NEGLIGIBLE; at--) {
    term *= (odds * at) / (trials - at + 1);
    sum += term;
  }
  return Math.min(1, sum);
}

/**
 * Γ(n + 1) / (Γ(x + 1) Γ(n − x + 1)) p^x q^(n − x), also for counts that are no integers, by its saddle point: C.
 * Loader, Fast and Accurate Computation of Binomial Probabilities, 2000. Relative error near 1e-15 at any n.
 *
 * @param p chance, with `q = 1 - p`: whichever is small is exact
 */
export function binomialTerm(x: number, n: number, p: number, q: number): number {
  if (x === 0) return Math.exp(p < 0.1 ? -deviance(n, n * q) - n * p : n * Math.log(q));
  if (x === n) return Math.exp(q < 0.1 ? -deviance(n, n * p) - n * q : n * Math.log(p));
  const exponent =
    stirlingError(n) - stirlingError(x) - stirlingError(n - x) - deviance(x, n * p) - deviance(n - x, n * q);
  return Math.exp(exponent - (LOG_TWO_PI + Math.log(x) + Math.log1p(-x / n)) / 2);
}

/** x log(x / mean) + mean − x without cancellation: `bd0` of Loader's page. */
function deviance(x: number, mean: number): number {
  const gap = x - mean;
  if (Math.abs(gap) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
  const ratio = gap / (x + mean);
  let sum = gap * ratio;
  let power = 2 * x * ratio;
  for (let order = 3; ; order += 2) {
    power *= ratio * ratio;
    const next = sum + power / order;
    if (next === sum) return sum;
    sum = next;
  }
}
