import type { Cell, ResultRow } from '../results.js';
import { expectedField, NONE, rowFields, splitRow } from './expected.js';

it.each([
  [['q', 'answer'], '', 'answer'],
  [['q', 'answer', 'expected'], '', 'expected'],
  [['q', 'answer'], 'q', 'q'],
  [['q', 'answer'], NONE, null],
  [['answer'], '', null],
  [['q'], '', null],
])('takes of the fields %j, where %j is chosen, %j for the right answer', (fields, chosen, field) =>
  expect(expectedField(fields, chosen)).toBe(field),
);

it('shows the right answer apart from what was asked', () => {
  expect(splitRow({ q: '1+1', a: '2' }, 'a')).toEqual({ asked: { q: '1+1' }, expected: '2' });
  expect(splitRow({ q: '1+1' }, 'a')).toEqual({ asked: { q: '1+1' }, expected: undefined });
  expect(splitRow('1+1', 'a')).toEqual({ asked: '1+1', expected: undefined });
});

it('knows the fields of rows that runs predicted', () => {
  const row = (inputs: unknown, status: Cell['status']): ResultRow => ({
    ...{ digest: status, inputs },
    cells: new Map([['a', { status, trials: [], metrics: new Map() }]]),
  });
  expect(rowFields([row({ q: 1 }, 'predicted'), row({ q: 1, a: 2 }, 'missing'), row('x', 'failed')])).toEqual(['q']);
});
