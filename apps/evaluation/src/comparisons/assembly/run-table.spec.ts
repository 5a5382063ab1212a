import { type AnOrder, anOrder } from './comparison-order.fixture.js';
import { RunTable } from './run-table.js';

const tableOf = (order: AnOrder): RunTable => new RunTable(anOrder(order));

describe('RunTable', () => {
  it('has a row for each digest, and the mean of what counts', () => {
    const table = tableOf({
      trials: [
        { row: 'a', scores: { s: 1 } },
        { row: 'b', scores: { s: 3 } },
        { row: 'a', scores: { s: 2 } },
        { row: 'a', scores: { s: 100 }, counts: false },
        { row: 'b', run: 1, scores: { s: 5 } },
      ],
    });
    expect(table.digests).toEqual(['a', 'b']);
    expect([0, 1].map((run) => table.values('scores.s', run))).toEqual([
      [1.5, 3],
      [null, 5],
    ]);
    expect(table.counts).toEqual([
      { trials: 3, replaced: 1 },
      { trials: 1, replaced: 0 },
    ]);
    expect([0, 1].map((run) => table.isPresent(run, 0))).toEqual([true, false]);
  });

  it('has no numbers of what failed, but how much did', () => {
    const table = tableOf({
      trials: [
        { row: 'a', hasFailed: true, scores: { s: 9 }, latencyMs: 9 },
        { row: 'a', scores: { s: 1 }, latencyMs: 5, length: 3 },
        { row: 'b', hasFailed: true },
      ],
    });
    expect(table.values('scores.s', 0)).toEqual([1, null]);
    expect(table.values('latency_ms', 0)).toEqual([5, null]);
    expect(table.values('length', 0)).toEqual([3, null]);
    expect(table.values('failed', 0)).toEqual([0.5, 1]);
    expect([0, 1].map((row) => table.hasFailed(0, row))).toEqual([false, true]);
    expect(table.hasAnyFailure).toBe(true);
  });

  it('keeps apart scores that are numbers, text, and not asked for', () => {
    const trials = [{ scores: { s: 1, note: 'x', late: 'n/a', other: 2 } }, { scores: { late: 3 } }];
    expect(tableOf({ trials })).toMatchObject({ scores: ['scores.late', 'scores.other', 'scores.s'] });
    expect([...tableOf({ trials }).textScores]).toEqual(['scores.note']);
    const asked = tableOf({ trials, settings: { metrics: ['scores.s'] } });
    expect(asked.scores).toEqual(['scores.s']);
    expect([...asked.otherScores].sort()).toEqual(['scores.late', 'scores.other']);
  });

  it('takes names of objects for nothing but names', () => {
    const scores = JSON.parse('{"__proto__": 1, "constructor": {"name": 2}, "toString": true}') as unknown;
    const table = tableOf({ trials: [{ row: '__proto__', scores }] });
    expect(table.scores).toEqual(['scores.__proto__', 'scores.constructor.name', 'scores.toString']);
    expect(table.values('scores.toString', 0)).toEqual([1]);
    expect(table.has('scores.hasOwnProperty', 0)).toBe(false);
  });

  it('tells no more than a thousand scores apart', () => {
    const scores = Object.fromEntries(Array.from({ length: 3_000 }, (_none, at) => [`s${at}`, at]));
    const table = tableOf({ trials: [{ scores }] });
    expect(table.scores.length).toBeLessThanOrEqual(1_000);
    expect(table.textScores.size).toBeLessThanOrEqual(1_000);
  });

  it('averages labels of a row, by the map of the truth', () => {
    const table = tableOf({
      trials: [
        { id: 'x', row: 'a' },
        { id: 'y', row: 'a' },
        { id: 'z', row: 'b' },
      ],
      labels: [
        [0, 'x', '"good"'],
        [0, 'y', '"bad"'],
        [0, 'z', '"odd"'],
        [1, 'z', 'true'],
        [0, 'gone', '"good"'],
      ],
      settings: {
        truths: [
          { metric: 'scores.s', map: { good: 1, bad: 0 } },
          { metric: 'scores.t', map: null },
        ],
      },
    });
    expect(table.labels(0, 0)).toEqual([0.5, null]);
    expect(table.labels(1, 0)).toEqual([null, 1]);
    expect(table.labels(2, 0)).toEqual([null, null]);
  });
});
