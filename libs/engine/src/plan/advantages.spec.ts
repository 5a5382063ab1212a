import fc from 'fast-check';

import { balanced, groupAdvantages } from './advantages.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** Sums of multiples of 1/8 are exact, so that only the division rounds. */
const eighths = (low: number, high: number) => fc.integer({ min: low * 8, max: high * 8 }).map((count) => count / 8);
const someRewards = fc.array(eighths(-10, 10), { minLength: 2, maxLength: 12 });
const deviationOf = (rewards: number[]): number => {
  const mean = rewards.reduce((sum, reward) => sum + reward) / rewards.length;
  return Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length);
};

describe('groupAdvantages', () => {
  it('is the distance from the mean when not scaled', () => {
    expect(groupAdvantages([3, 0, 0], false)).toEqual([2, -1, -1]);
  });

  it('is in units of the population deviation, kept from 0, when scaled', () => {
    expect(groupAdvantages([1, 0], true)).toEqual([0.5 / 0.500001, -0.5 / 0.500001]);
  });

  it.each([
    ['three times 0.1, whose sum is not 0.3', [0.1, 0.1, 0.1]],
    ['one reward', [7]],
    ['0 and -0', [0, -0]],
  ])('is exactly 0 for %s', (_, rewards) => {
    expect(groupAdvantages(rewards, true)?.map(Math.abs)).toEqual(rewards.map(() => 0));
  });

  it('of no rewards is none', () => {
    expect(groupAdvantages([], true)).toEqual([]);
  });

  it('does not depend on the order of rewards, to the last bit', () => {
    const shuffledPair = fc
      .array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2 })
      .chain((rewards) =>
        fc.tuple(fc.constant(rewards), fc.shuffledSubarray([...rewards.keys()], { minLength: rewards.length })),
      );
    fc.assert(
      fc.property(shuffledPair, ([rewards, order]) => {
        const moved = groupAdvantages(
          order.map((at) => rewards[at] as number),
          true,
        );
        expect(moved).toEqual(order.map((at) => groupAdvantages(rewards, true)?.[at]));
      }),
    );
  });

  it('hardly changes when rewards are scaled and shifted', () => {
    fc.assert(
      fc.property(someRewards, eighths(1, 8), fc.integer({ min: -100, max: 100 }), (rewards, factor, shift) => {
        const deviation = deviationOf(rewards);
        fc.pre(deviation > 0);
        const before = groupAdvantages(rewards, true) ?? [];
        const after =
          groupAdvantages(
            rewards.map((reward) => factor * reward + shift),
            true,
          ) ?? [];
        const tolerance = 1e-6 * Math.abs(1 / (factor * deviation) - 1 / deviation) + 1e-9;
        for (const [at, advantage] of before.entries()) {
          expect(Math.abs((after[at] as number) - advantage)).toBeLessThanOrEqual(
            tolerance * Math.abs(advantage) + 1e-12,
          );
        }
      }),
    );
  });

  it.each([
    ['the sum', [1.7e308, 1.6e308], false],
    ['the squares', [1e200, 0], true],
  ])('is null where %s overflows', (_, rewards, scaled) => {
    expect(groupAdvantages(rewards, scaled)).toBeNull();
  });

  it('needs no squares when not scaled', () => {
    expect(groupAdvantages([1e200, 0], false)).toEqual([5e199, -5e199]);
  });
});

describe('balanced', () => {
  it.each([
    [-2, 0.25, -1.5],
    [2, 0.25, 2],
    [-2, -0.25, -2],
    [2, -0.25, 1.5],
    [-2, 1, 0],
    [2, -1, 0],
    [2, 0, 2],
  ])('%d with balance %d is %d', (advantage, balance, expected) => {
    expect(balanced(advantage, balance)).toBe(expected);
  });
});
