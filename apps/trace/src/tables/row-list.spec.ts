import fc from 'fast-check';

import { CHUNK_ROWS, RowList } from './row-list.js';

const rows = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
const chunked = (all: string[]): string[][] =>
  Array.from({ length: Math.ceil(all.length / CHUNK_ROWS) }, (_, index) =>
    all.slice(index * CHUNK_ROWS, (index + 1) * CHUNK_ROWS),
  );

describe('a list of rows under change', () => {
  it.each([0, 1, 999, 1_000, 1_001, 5_500])('gives %i rows back in full chunks', (count) => {
    const list = new RowList(chunked(rows(count)));
    expect([list.length, [...list.chunks()]]).toEqual([count, chunked(rows(count))]);
  });

  it('does what an array does', () => {
    const step = fc.record({ isInsert: fc.boolean(), at: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.constantFrom(0, 3, 999, 2_500), fc.array(step, { maxLength: 200 }), (count, steps) => {
        const plain = rows(count);
        const list = new RowList(chunked(rows(count)));
        for (const [index, { isInsert, at }] of steps.entries()) {
          if (isInsert) {
            const position = Math.floor(at * plain.length);
            plain.splice(position, 0, `new${index}`);
            list.insert(position, `new${index}`);
          } else if (plain.length > 0) {
            const position = Math.floor(at * (plain.length - 1));
            expect(list.pop(position)).toBe(plain.splice(position, 1)[0]);
          }
        }
        expect([list.length, [...list.chunks()]]).toEqual([plain.length, chunked(plain)]);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it('takes thousands of rows at one place', () => {
    const list = new RowList([]);
    for (let row = 0; row < 5_000; row++) list.insert(0, `r${row}`);
    expect([...list.chunks()].flat()).toEqual(rows(5_000).reverse());
  });
});
