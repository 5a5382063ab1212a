import type { ResultRow } from '../results.js';
import { sliceFields, slicesBy } from './slices.js';

const row = (inputs: unknown, at: number): ResultRow => ({ digest: String(at), inputs, cells: new Map() });

it('finds the fields that tell a few kinds of rows apart', () => {
  const inputs = [0, 1, 2, 3].map((n) => ({
    ...{ q: `question ${n}`, language: n % 2 ? 'en' : 'de', same: 'x', 'a.b': n % 2, long: 'x'.repeat(65 + (n % 2)) },
    mixed: n === 0 ? {} : n % 2,
  }));
  expect([...sliceFields([...inputs.map(row), row('a text', 4)])]).toEqual([['language', ['de', 'en']]]);
});

it('makes a slice of each value', () =>
  expect(slicesBy('language', ['de'])).toEqual([
    { name: 'language = de', expression: { $eq: [{ $getField: 'inputs.language' }, { $literal: 'de' }] } },
  ]));
