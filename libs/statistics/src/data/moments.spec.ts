import { momentsOf, NO_VALUES, poolMoments } from './moments.js';

describe('moments', () => {
  it('are count, mean and sample variance', () => {
    expect(momentsOf([1, 2, 3, 6])).toEqual({ count: 4, mean: 3, variance: 14 / 3 });
    expect(momentsOf([5])).toEqual({ count: 1, mean: 5, variance: 0 });
    expect(momentsOf([])).toEqual(NO_VALUES);
  });

  it('of two groups are those of all their values', () => {
    const [a, b] = [
      [1, 2, 3, 6],
      [10, -4, 0.5],
    ] as const;
    const pooled = poolMoments(momentsOf(a), momentsOf(b));
    const together = momentsOf([...a, ...b]);
    expect(pooled.count).toBe(7);
    expect(pooled.mean).toBeCloseTo(together.mean, 14);
    expect(pooled.variance).toBeCloseTo(together.variance, 13);
    expect(poolMoments(NO_VALUES, momentsOf(a))).toEqual(momentsOf(a));
    expect(poolMoments(momentsOf(a), NO_VALUES)).toEqual(momentsOf(a));
  });

  it('keep the digits of values far from 0', () => {
    expect(momentsOf([1e9 + 1, 1e9 + 2, 1e9 + 3]).variance).toBe(1);
  });

  it('refuse what is no finite number, by its index', () => {
    expect(() => momentsOf([1, Number.NaN])).toThrow(new RangeError('values[1] must be a finite number, got NaN'));
  });
});
