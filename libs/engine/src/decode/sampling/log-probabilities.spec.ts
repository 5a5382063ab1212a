import { rankOf, reported, topTokens } from './log-probabilities.js';

const VALUES = Float32Array.of(-3, -1, -2, -1, -Infinity);

describe('topTokens', () => {
  it('lists the likeliest first, of equal ones the lower id', () => {
    expect(topTokens(VALUES, 3)).toEqual([
      { id: 1, logProbability: -1 },
      { id: 3, logProbability: -1 },
      { id: 2, logProbability: -2 },
    ]);
  });

  it('lists the whole vocabulary for -1', () => {
    expect(topTokens(VALUES, -1).map(({ id }) => id)).toEqual([1, 3, 2, 0, 4]);
  });

  it('lists nothing for 0', () => {
    expect(topTokens(VALUES, 0)).toEqual([]);
  });

  it('finds the same by selection and by sorting', () => {
    const values = Float32Array.from({ length: 500 }, (_, id) => -((id * 37) % 101));
    expect(topTokens(values, 65).slice(0, 20)).toEqual(topTokens(values, 20));
  });
});

it('rankOf counts the likelier tokens', () => {
  expect([0, 1, 2, 3].map((id) => rankOf(VALUES, id))).toEqual([4, 1, 3, 1]);
});

it('reported is never below -9999', () => {
  expect(reported(VALUES, 4)).toBe(-9999);
});
