import fc from 'fast-check';

import { ExactSum } from './exact-sum.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const sumOf = (...values: number[]) => {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.toString();
};

describe('ExactSum', () => {
  it.each([
    [[], '0'],
    [[0, -0], '0'],
    [[1, 2], '3'],
    [[0.5, -0.25], '0.25'],
    [[-0.5], '-0.5'],
    [[0.1], '0.1000000000000000055511151231257827021181583404541015625'],
    [[1e300, 1, -1e300], '1'],
    [[2 ** 53, 1, 1], '9007199254740994'],
  ])('adds %j without rounding', (values, text) => {
    expect(sumOf(...values)).toBe(text);
  });

  it('holds the smallest and the largest doubles', () => {
    expect(Number(sumOf(Number.MIN_VALUE))).toBe(Number.MIN_VALUE);
    expect(Number(sumOf(Number.MAX_VALUE))).toBe(Number.MAX_VALUE);
    expect(sumOf(Number.MAX_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE)).toBe(sumOf(Number.MAX_VALUE));
  });

  it('is the same in any order', () => {
    const doubles = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 });
    fc.assert(
      fc.property(doubles, (values) => {
        expect(sumOf(...values.toReversed())).toBe(sumOf(...values));
      }),
    );
  });

  it('says one number as it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(sumOf(value)) + 0).toBe(value + 0);
      }),
    );
  });
});
