import { endsInRepetition } from './repetition.js';

const limits = (minPatternSize: number, maxPatternSize: number, minCount: number) => ({
  minPatternSize,
  maxPatternSize,
  minCount,
});

describe('endsInRepetition', () => {
  it.each([
    [[1, 2, 3, 3, 3], limits(1, 2, 3), true],
    [[1, 2, 3, 3], limits(1, 2, 3), false],
    [[9, 1, 2, 1, 2], limits(1, 2, 2), true],
    [[9, 1, 2, 1, 2], limits(3, 4, 2), false],
    [[5, 5, 5, 5], limits(2, 2, 2), true],
    [[1, 2, 1, 2, 1], limits(2, 2, 2), true],
    [[1, 1, 1, 1], limits(0, 0, 0), false],
  ])('of %p with %p is %p', (ids, detection, expected) => {
    expect(endsInRepetition(ids, detection)).toBe(expected);
  });
});
