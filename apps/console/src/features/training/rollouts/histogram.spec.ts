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

  it('is empty without rollouts', () => expect(toBars([])).toEqual([]));

  it('names the groups that teach nothing', () => {
    expect(groupsWithoutSpread(rollouts(1, 1, 0, 1, 5))).toEqual([0, 2]);
  });
});
