import type { RolloutDto } from '@hone/client';

import { groupsWithoutSpread, toBars } from './histogram.js';

const rollouts = (...rewards: number[]): RolloutDto[] =>
  rewards.map((reward, index) => ({
    ...{ group: Math.floor(index / 2), index: index % 2, reward, advantage: 0 },
    ...{ initial_policy_version: null, metrics: {} },
  }));
const shapes = (...rewards: number[]) =>
  toBars(rollouts(...rewards)).map(({ from, to, rollouts: { length } }) => [from, to, length]);

describe('the histogram of rewards', () => {
  it('has a bar for each of a few rewards', () => {
    expect(shapes(1, 0, 1, 0.5)).toEqual([
      [0, 0, 1],
      [0.5, 0.5, 1],
      [1, 1, 2],
    ]);
  });

  it('shares many rewards out, each once', () => {
    const found = shapes(...Array.from({ length: 25 }, (_, at) => at));
    expect(found).toHaveLength(12);
    expect(found.reduce((sum, [, , count]) => sum + (count ?? 0), 0)).toBe(25);
    expect(found.at(-1)).toEqual([22, 24, 3]);
  });

  it.each([
    ['nearly equal', (at: number) => 1 + at * Number.EPSILON],
    ['huge, on both sides of zero', (at: number) => (at - 6.5) * (Number.MAX_VALUE / 7)],
    ['tiny', (at: number) => at * Number.MIN_VALUE],
    ['negative', (at: number) => -1e9 - at * 1e-6],
  ])('has every one of rewards that are %s', (_what, rewardOf) => {
    const found = shapes(...Array.from({ length: 14 }, (_, at) => rewardOf(at)));
    expect(found.reduce((sum, [, , count]) => sum + (count ?? 0), 0)).toBe(14);
    expect(found.flat().every(Number.isFinite)).toBe(true);
  });

  it('is empty without rollouts', () => expect(toBars([])).toEqual([]));

  it('names the groups that teach nothing', () => {
    expect(groupsWithoutSpread(rollouts(1, 1, 0, 1, 5))).toEqual([0, 2]);
  });
});
