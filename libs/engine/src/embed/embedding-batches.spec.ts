import fc from 'fast-check';

import { toBatches, toParts } from './embedding-batches.js';

describe('toBatches', () => {
  it('puts texts of like length together', () => {
    expect(toBatches([500, 3, 400, 4])).toEqual([
      [1, 3],
      [2, 0],
    ]);
    expect(toBatches([])).toEqual([]);
  });

  it('has each text once, in batches of bounded size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2_048 }), { maxLength: 300 }), (lengths) => {
        const batches = toBatches(lengths);
        expect(batches.flat().sort((a, b) => a - b)).toEqual(lengths.map((_length, at) => at));
        for (const batch of batches) {
          const padded = batch.length * Math.max(...batch.map((at) => lengths[at] as number));
          expect(batch.length === 1 || (padded <= 1_024 && batch.length <= 64)).toBe(true);
        }
      }),
    );
  });
});

describe('toParts', () => {
  it('keeps all texts in order, a long one alone', () => {
    const long = 'x'.repeat(2 ** 20);
    expect(toParts(['a', 'b', long, 'c', ''])).toEqual([['a', 'b'], [long], ['c', '']]);
    expect(toParts([])).toEqual([]);
  });
});
