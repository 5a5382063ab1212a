import type { CallRow } from './call-row.js';
import { toTree } from './call-tree.js';

const row = (id: string, parentId: string | null, second: number, latencyMs: number | null = 1_000): CallRow => {
  const at = (ms: number) => new Date(Date.parse('2026-01-15T10:00:00Z') + ms).toISOString();
  const startedAt = at(second * 1_000);
  const endedAt = latencyMs === null ? null : at(second * 1_000 + latencyMs);
  const rest = { opName: id, displayName: null, traceId: 't', threadId: null, exception: null, models: [] };
  return { ...rest, id, parentId, startedAt, endedAt, latencyMs, tokens: null, status: 'success' };
};
const shape = (rows: readonly CallRow[]) => toTree(rows).map(({ row: { id }, level }) => `${level}${id}`);

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
});
