import { roundsOf } from '@hone/testing/rounds';

import { type Moments, momentsOf, poolMoments } from '../data/moments.js';
import { studentTQuantile } from '../distributions/student-t.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import { asymptoticLook } from './asymptotic-sequence.js';
import { BettingSequence } from './betting-sequence.js';
import { correctedDifferences } from './corrected-differences.js';

/** Lives of two answers that are compared pair by pair: 2,000 in the long form. */
const LIVES = roundsOf(2_000, 'HONE_GATE_LIVES');
const MOST_PAIRS = 600;
const LOOK_EVERY = 25;
const ALPHA = 0.05;
/** Intervals err on either side, and only one of them is acted on. */
const ONE_SIDE = ALPHA / 2;
/** Three standard errors of the share of lives that may go wrong. */
const NOISE = 3 * Math.sqrt((ONE_SIDE * (1 - ONE_SIDE)) / LIVES);
/** Of both answers to one input: the candidate is better, it is worse, or neither. */
const EQUAL = { better: 0.15, worse: 0.15 };
const BETTER_BY_TEN = { better: 0.2, worse: 0.1 };
type World = typeof EQUAL;

const differenceOf = ({ better, worse }: World, random: Xoshiro128): number => {
  const share = random.fraction();
  return share < better ? 1 : share < better + worse ? -1 : 0;
};

/** At which pair a life finds the candidate better; null: at none. */
type Life = (world: World, random: Xoshiro128) => number | null;

const byBetting: Life = (world, random) => {
  const sequence = new BettingSequence([-1, 1], 1 - ALPHA);
  for (let pair = 1; pair <= MOST_PAIRS; pair++) {
    sequence.add(differenceOf(world, random));
    if (pair % LOOK_EVERY === 0 && sequence.look().low > 0) return pair;
  }
  return null;
};

/** A test of fixed size, looked at again and again. */
const byStudent: Life = (world, random) => {
  let seen: Moments = momentsOf([]);
  for (let pair = LOOK_EVERY; pair <= MOST_PAIRS; pair += LOOK_EVERY) {
    seen = poolMoments(seen, momentsOf(Array.from({ length: LOOK_EVERY }, () => differenceOf(world, random))));
    const t = studentTQuantile(1 - ALPHA, seen.count - 1);
    if (seen.mean > t * Math.sqrt(seen.variance / seen.count)) return pair;
  }
  return null;
};

/** A judge that takes one pair in five for another one than it is, and people who see every fourth pair. */
const CHANCE = 0.25;
const FIRST_LABELS = 50;
const NARROWEST_AT = 1_000;
const byJudge =
  (judged: (truth: number, random: Xoshiro128) => number): Life =>
  (world, random) => {
    let seen: Moments = momentsOf([]);
    let labels = 0;
    for (let pair = 1; pair <= 4 * MOST_PAIRS; pair++) {
      const truth = differenceOf(world, random);
      const isDrawn = random.fraction() < CHANCE;
      labels += Number(isDrawn);
      const [term] = correctedDifferences({
        judge: [judged(truth, random)],
        human: [isDrawn ? truth : null],
        chances: [CHANCE],
      });
      seen = poolMoments(seen, momentsOf([term as number]));
      if (pair % LOOK_EVERY > 0 || labels < FIRST_LABELS) continue;
      if (asymptoticLook(seen, NARROWEST_AT, 1 - ALPHA).low > 0) return pair;
    }
    return null;
  };
const noisy = byJudge((truth, random) => (random.fraction() < 0.8 ? truth : Math.floor(3 * random.fraction()) - 1));
/** It likes the candidate, whatever people say. */
const partial = byJudge((truth, random) => (random.fraction() < 0.3 ? 1 : truth));

function found(life: Life, world: World, seed: number): number[] {
  const random = new Xoshiro128(seed);
  return Array.from({ length: LIVES }, () => life(world, random)).filter((pair) => pair !== null);
}

describe('a look at every 25th of 600 pairs', () => {
  it('finds a candidate that is no better in too many lives by a test of fixed size', () => {
    expect(found(byStudent, EQUAL, 1).length / LIVES).toBeGreaterThan(0.15);
  });

  it('finds it in at most 2.5 % of lives by betting', () => {
    expect(found(byBetting, EQUAL, 2).length / LIVES).toBeLessThanOrEqual(ONE_SIDE + NOISE);
  });

  it('finds one that is better by 10 points in 95 % of lives by betting', () => {
    const pairs = found(byBetting, BETTER_BY_TEN, 3).sort((a, b) => a - b);
    expect(pairs.length / LIVES).toBeGreaterThanOrEqual(0.95 - NOISE);
    expect(pairs[pairs.length >> 1]).toBeLessThanOrEqual(300);
  });
});

describe('looks at a judge’s pairs that people correct', () => {
  it.each([
    ['errs', noisy],
    ['likes the candidate', partial],
  ])('find a candidate that is no better in at most 2.5 %% of lives with a judge that %s', (_what, life) => {
    expect(found(life, EQUAL, 4).length / LIVES).toBeLessThanOrEqual(ONE_SIDE + NOISE);
  });

  it('find one that is better by 10 points', () => {
    expect(found(noisy, BETTER_BY_TEN, 5).length / LIVES).toBeGreaterThan(0.8);
  });
});
