import type { Cell, ResultRow } from '../../results.js';
import { drawn, pairedRows } from './drawn-rows.js';

const trial = (prediction_id: string, exception: string | null = null, counts = true) =>
  ({ prediction_id, exception, counts }) as Cell['trials'][number];
const cell = (value: number | null, ...trials: Cell['trials'][number][]): Cell => ({
  ...{ status: 'predicted', trials },
  metrics: new Map(value === null ? [] : [['judge.good', value]]),
});
const row = (a: Cell | null, b: Cell | null): ResultRow => ({
  ...{ digest: '', inputs: null },
  cells: new Map([...(a ? [['a', a] as const] : []), ...(b ? [['b', b] as const] : [])]),
});

it('pairs the answers that count of rows that all runs answered', () => {
  const rows = [
    row(cell(1, trial('old'), trial('a1'), trial('replaced', null, false)), cell(0, trial('b1'))),
    row(cell(1, trial('a2')), cell(null, trial('b2'))),
    row(cell(1, trial('a3')), cell(null, trial('b3', 'down'))),
    row(cell(1, trial('a4')), null),
  ];
  expect(pairedRows(rows, ['a', 'b'])).toEqual([{ predictions: ['a1', 'b1'] }, { predictions: ['a2', 'b2'] }]);
});

it('draws each with the same chance, and none twice', () => {
  const counts = new Map<string, number>();
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 3_000; round++) {
    const found = drawn(['a', 'b', 'c'], 2, random);
    expect(new Set(found).size).toBe(2);
    for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(120);
  expect(drawn(['a'], 5, random)).toEqual(['a']);
});
