import { likeliestToken, nextAtLeast } from './likeliest.js';

/** Of every length around the group of scores that is compared at once; some are no numbers. */
const TABLES = Array.from({ length: 36 }, (_, length) =>
  Float32Array.from({ length }, (_, id) => (id % 11 === 5 ? NaN : -((id * 7) % 13))),
);

describe('nextAtLeast', () => {
  it.each(TABLES.map((table) => ({ table })))(
    'finds what a search one by one finds, in $table.length scores',
    ({ table }) => {
      for (const least of [-20, -9, -4, 0, 1]) {
        for (let from = 0; from <= table.length + 1; from += 1) {
          const expected = table.findIndex((score, id) => id >= from && score >= least);
          const found = nextAtLeast(table, from, least);
          expect(found < table.length ? found : -1).toBe(expected);
        }
      }
    },
  );

  it('takes -Infinity as a score like any other', () => {
    expect(nextAtLeast(Float32Array.of(NaN, -Infinity, 0), 0, -Infinity)).toBe(1);
  });
});

describe('likeliestToken', () => {
  it('is the first of equal ones', () => {
    expect(likeliestToken(Float32Array.of(-3, NaN, -1, -2, -1, -5, -6, -7, -8, -1))).toBe(2);
  });

  it('is -1 when none may come', () => {
    expect(likeliestToken(new Float32Array(20).fill(-Infinity))).toBe(-1);
    expect(likeliestToken(new Float32Array(0))).toBe(-1);
  });
});
