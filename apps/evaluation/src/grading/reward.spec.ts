import { verdict, withoutVerdict } from '../kinds/scorer-kind.js';
import { rewardOf, scoreOf } from './reward.js';

const found = verdict({
  ratings: [
    { name: 'helpful', value: 4, scale: [1, 5], spread: null },
    { name: 'distance', value: 7, scale: null, spread: null },
  ],
  tags: ['polite'],
});

describe('the score of an outcome', () => {
  it.each([
    ['helpful', false, [1, 5], 0.75],
    ['distance', false, null, 7],
    ['polite', true, [0, 1], 1],
    ['rude', true, [0, 1], 0],
    ['absent', false, null, null],
  ] as const)('by %s', (name, isTag, scale, expected) => {
    expect(scoreOf(found, { name, isTag, scale })).toBe(expected);
  });

  it('is none of a failed judgement, whatever else it holds', () => {
    const failed = { ...found, ...withoutVerdict('failed', 'judge_answered_nonsense'), tags: ['polite'] };
    expect(scoreOf(failed, { name: 'polite', isTag: true, scale: [0, 1] })).toBeNull();
  });
});

describe('the reward of an answer', () => {
  it('is the mean of its scores by their weights', () => {
    expect(rewardOf([1, 0.5], [1, 3])).toBe(0.625);
  });

  it('is none where a score is missing', () => {
    expect(rewardOf([1, null], [1, 1])).toBeNull();
  });
});
