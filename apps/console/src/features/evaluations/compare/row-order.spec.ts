import { directionOf } from '../direction.js';
import type { Cell, ResultRow } from '../results.js';
import { changeOfCell, orderRows, toRowOrder } from './row-order.js';

const cell = (metrics: Readonly<Record<string, number>>): Cell => ({
  ...{ status: 'predicted', trials: [] },
  metrics: new Map(Object.entries(metrics)),
});
const row = (digest: string, a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): ResultRow => ({
  ...{ digest, inputs: null },
  cells: new Map([
    ['a', cell(a)],
    ['b', cell(b)],
  ]),
});
const ROWS = [
  row('same', { right: 1, 'latency, ms': 1 }, { right: 1, 'latency, ms': 900 }),
  row('gained', { right: 0, cost: 2 }, { right: 1, cost: 2 }),
  row('lost', { right: 1, cost: 2 }, { right: 0, cost: 1 }),
  row('dearer', { right: 1, cost: 1 }, { right: 1, cost: 3 }),
];
const settings = (metric: string) => ({
  ...{ runs: ['a', 'b'], metric },
  direction: (name: string) => directionOf(name, []),
});
const order = (...parameters: [metric: string, order: '' | 'better' | 'rows']) =>
  orderRows(ROWS, settings(parameters[0]), parameters[1]).map(({ digest }) => digest);

it('has the worst change first, each score as a share of its largest change', () =>
  expect(order('', '')).toEqual(['dearer', 'lost', 'same', 'gained']));

it('has the best change first, or the rows as they are', () => {
  expect(order('', 'better')).toEqual(['gained', 'same', 'lost', 'dearer']);
  expect(order('', 'rows')).toEqual(['same', 'gained', 'lost', 'dearer']);
});

it('looks at one metric alone', () => expect(order('right', '')).toEqual(['lost', 'same', 'gained', 'dearer']));

it('marks answers that are better or worse, but not those of which scores disagree', () => {
  const mixed = row('mixed', { right: 0, cost: 1 }, { right: 1, cost: 2 });
  const changes = [...ROWS, mixed].map((one) => changeOfCell(one, 'b', settings('')));
  expect(changes).toEqual(['same', 'better', 'same', 'worse', 'same']);
  expect(changeOfCell(mixed, 'b', settings('right'))).toBe('better');
});

it('reads orders that it knows', () => expect(['better', 'x', 'toString'].map(toRowOrder)).toEqual(['better', '', '']));
