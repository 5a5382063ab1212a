import { toTreeRow, type TreeRow } from '../../../shared/trace/trace-query.js';
import { formatSpan, parseSpan, siblingsOf, spanAround, toTree, zoomed } from './call-tree.js';

const row = (id: string, parentId: string | null, second: number, latencyMs: number | null = 1_000): TreeRow => ({
  ...{ id, parentId, opName: id, displayName: null, status: 'success', latencyMs },
  beganMs: Date.parse('2026-01-15T10:00:00Z') + second * 1_000,
});
const shape = (rows: readonly TreeRow[]) => toTree(rows).map(({ row: { id }, level }) => `${level}${id}`);

describe('the tree of a trace', () => {
  it('has each call before those that it made, siblings by their start', () => {
    const rows = [row('d', 'a', 3), row('c', 'b', 2), row('a', null, 0, 9_000), row('b', 'a', 1)];
    expect(shape(rows)).toEqual(['0a', '1b', '2c', '1d']);
    expect(toTree(rows).map(({ from, share }) => [from, share])).toEqual([
      [0, 1],
      [1 / 9, 1 / 9],
      [2 / 9, 1 / 9],
      [3 / 9, 1 / 9],
    ]);
  });

  it('has calls whose caller is not there, and circles of callers, once each', () => {
    expect(shape([row('a', 'lost', 0), row('b', 'c', 1), row('c', 'b', 2), row('e', 'e', 3)])).toEqual([
      '0a',
      '0b',
      '1c',
      '0e',
    ]);
  });

  it('lets a call that runs reach to the end', () => {
    expect(toTree([row('a', null, 0, 4_000), row('b', 'a', 1, null)]).at(-1)).toMatchObject({
      from: 0.25,
      share: 0.75,
    });
  });

  it('is made of fifty thousand calls, each within the last', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => row(`c${at}`, at === 0 ? null : `c${at - 1}`, at / 1_000));
    expect(toTree(rows).at(-1)?.level).toBe(49_999);
  });

  it('is made of the columns that are asked for, in the form in which they are answered', () => {
    const times = { started_at: '2026-01-15T10:00:00.000Z', ended_at: '2026-01-15T10:00:00.250Z' };
    const call = { id: 'a', op_name: 'o', ...times, 'summary.hone.status': 'error' };
    expect(toTreeRow(call as never)).toMatchObject({ opName: 'o', parentId: null, status: 'error', latencyMs: 250 });
    expect(toTreeRow({ ...call, ended_at: null } as never).latencyMs).toBeNull();
  });
});

it('the siblings of a call are those that the same call made, before and after it', () => {
  const nodes = toTree([row('a', null, 0), row('b', 'a', 1), row('c', 'b', 2), row('d', 'a', 3), row('z', null, 9)]);
  const names = (id: string) => Object.values(siblingsOf(nodes, id)).map((one) => one?.id ?? null);
  expect(['a', 'b', 'c', 'd', 'z', 'none'].map(names)).toEqual([
    ...[
      [null, 'z'],
      [null, 'd'],
      [null, null],
      ['b', null],
      ['a', null],
      [null, null],
    ],
  ]);
});

describe('a part of the time of a trace', () => {
  it.each(['', '0.2500000-0.5000000', '0.9999990-1.0000000'])('is %j in the address', (text) => {
    expect(formatSpan(parseSpan(text))).toBe(text);
  });

  it.each(['x', '0.5-0.2', '-1-2', '0.5', '0.1-0.1', 'NaN-1'])('is all of it for %j', (text) => {
    expect(parseSpan(text)).toEqual([0, 1]);
  });

  it('is nearer and farther around its middle, and never beyond the trace', () => {
    expect(zoomed([0, 1], 0.5)).toEqual([0.25, 0.75]);
    expect(zoomed([0.8, 1], 2)[0]).toBeCloseTo(0.6);
    expect(zoomed([0.5, 0.6], 100)).toEqual([0, 1]);
  });

  it('is what a call takes, with some air, also of one that takes no time', () => {
    const span = spanAround({ from: 0.5, share: 0.1 } as never);
    expect([span[0].toFixed(3), span[1].toFixed(3)]).toEqual(['0.495', '0.605']);
    expect(spanAround({ from: 1, share: 0 } as never)[1]).toBe(1);
  });
});
