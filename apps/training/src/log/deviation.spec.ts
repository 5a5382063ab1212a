import { deviation } from './deviation.js';

it.each([
  [[], 0],
  [[5], 0],
  [[0.1, 0.1, 0.1], 0],
  [[1, 0], 0.5],
  [[2, 4, 4, 4, 5, 5, 7, 9], 2],
  [[-Number.MAX_VALUE, Number.MAX_VALUE], Number.MAX_VALUE],
  [[1e-200, -1e-200], 0],
])('the deviation of %j is %d', (values, expected) => {
  expect(deviation(values)).toBe(expected);
});

it('is the same in any order', () => {
  const values = [0.1, 0.7, 0.3, 1e10, -3.3, 0.2];
  expect(deviation(values.toReversed())).toBe(deviation(values));
});
