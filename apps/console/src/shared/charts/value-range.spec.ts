import fc from 'fast-check';

import { drawable, valueRange } from './value-range.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const near = (value: number) => [value, value * (1 + 1e-7), value * (1 + 1e-8), value * (1 - 1e-9), value + 1e-15];
/** Nearly equal, huge, tiny and single values, zeros and what is no number. */
const values = fc.array(
  fc.oneof(
    fc.double({ noNaN: false }),
    fc.constantFrom(...near(1), ...near(-3e8), ...near(5e-9), 0, -0, NaN, Infinity, -Infinity),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 1e308, 1e-308),
  ),
  { minLength: 1, maxLength: 5 },
);

/** How often a plot adds its step to the begin of an axis until it is at the end: never, where a sum is not greater. */
function splitsOf([min, max]: readonly [number, number]): number {
  const step = (max - min) / 10;
  let splits = 0;
  for (let at = min; at <= max && splits <= 100; at += step, splits++) if (at + step === at) return Infinity;
  return splits;
}

describe('the range of an axis', () => {
  it('can be cut into steps, whatever the values are', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const shown = drawable(drawn).filter((value): value is number => value !== null);
        const [min, max] = valueRange(
          shown.length ? Math.min(...shown) : null,
          shown.length ? Math.max(...shown) : null,
        );
        expect(min).toBeLessThan(max);
        expect(Number.isFinite(max - min)).toBe(true);
        expect(splitsOf([min, max])).toBeLessThan(13);
        for (const value of shown) {
          // What is below the least size counts as zero.
          expect(value).toBeGreaterThanOrEqual(min - 1e-300);
          expect(value).toBeLessThanOrEqual(max + 1e-300);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['nothing', null, null, [0, 1]],
    ['zeros', 0, 0, [0, 1]],
    ['one value', 3, 3, [0, 6]],
    ['one value below zero', -3, -3, [-6, 0]],
    ['ratios of about one', 0.9999999962, 1.0000000374, [0, 2.0000000748]],
    ['values on both sides of zero', -1, 1, [-1.2, 1.2]],
    ['values above zero', 0.5, 10.5, [0, 11.5]],
  ])('of %s', (_what, min, max, range) => {
    expect(valueRange(min, max)).toEqual(range);
  });

  it('leaves a gap for what is no number', () => {
    expect(drawable([1, NaN, Infinity, null, 1e301])).toEqual([1, null, null, null, null]);
  });
});
