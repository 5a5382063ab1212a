import type { Moments } from '../data/moments.js';
import { binomialTerm } from '../distributions/binomial.js';
import type { Xoshiro128 } from '../random/xoshiro128.js';
import type { LabelledPairs } from './mean-estimate.js';

/** A judge of passes and fails, and the calls that it judges. */
export interface RateWorld {
  /** Share of calls that people pass. */
  readonly rate: number;
  /** Share that the judge passes of what people pass. */
  readonly truePositiveRate: number;
  /** Share that the judge fails of what people fail. */
  readonly trueNegativeRate: number;
}

/** Share of all calls that the judge passes. */
export function judgedRate({ rate, truePositiveRate, trueNegativeRate }: RateWorld): number {
  return rate * truePositiveRate + (1 - rate) * (1 - trueNegativeRate);
}

/** Draws the verdicts of people and of the judge on calls. */
export function drawPairs(world: RateWorld, labels: number, random: Xoshiro128): LabelledPairs {
  const human: number[] = [];
  const judge: number[] = [];
  for (let label = 0; label < labels; label++) {
    const passes = random.fraction() < world.rate;
    human.push(passes ? 1 : 0);
    judge.push(random.fraction() < (passes ? world.truePositiveRate : 1 - world.trueNegativeRate) ? 1 : 0);
  }
  return { human, judge };
}

/** Draws how many of `count` calls pass, from the cumulated binomial distribution. */
export function passCounter(count: number, chance: number): (random: Xoshiro128) => Moments {
  let sum = 0;
  const cumulated = Float64Array.from(
    { length: count + 1 },
    (_entry, passes) => (sum += binomialTerm(passes, count, chance, 1 - chance)),
  );
  return (random) => {
    const draw = random.fraction();
    let [from, to] = [0, count];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((cumulated[middle] as number) > draw) to = middle;
      else from = middle + 1;
    }
    return rateMoments(from, count);
  };
}

/** Moments of verdicts of which so many are 1 and the others 0. */
export function rateMoments(passes: number, count: number): Moments {
  const mean = passes / count;
  return { count, mean, variance: (mean * (1 - mean) * count) / (count - 1) };
}
