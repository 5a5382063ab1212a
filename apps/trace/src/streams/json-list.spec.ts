import { text } from 'node:stream/consumers';

import { RawJson } from '@hone/contracts';
import type { Database } from '@hone/database';

import { jsonLines } from './json-lines.js';
import { jsonList } from './json-list.js';

const ROWS = [1, 2, 3, 4, 5];
const ROW_MS = 30;

/** Gives the rows, as a query and as a cursor. */
const database = {
  client: { $queryRaw: async () => ROWS },
  stream: async (_query: unknown, _batches: unknown, onRows: (rows: number[]) => Promise<void>) => onRows(ROWS),
} as unknown as Database;

/** Takes the processor for a while. */
function busy(row: number): string {
  for (const endMs = performance.now() + ROW_MS; performance.now() < endMs;);
  return String(row);
}

describe('jsonList', () => {
  it.each([5, undefined])('lets the event loop go on between rows that take long (limit %s)', async (limit) => {
    let turns = 0;
    let pending = setImmediate(function count() {
      turns++;
      pending = setImmediate(count);
    });
    const tail = (rows: number) => `] of ${rows}`;
    const options = { query: {} as never, limit, head: '[', tail, toText: busy };
    const answer = await jsonList<number>(database, options);
    expect(answer instanceof RawJson ? answer.text : await text(answer)).toBe('[1,2,3,4,5] of 5');
    clearImmediate(pending);
    expect(turns).toBeGreaterThanOrEqual(ROWS.length);
  });
});

describe('jsonLines', () => {
  const answerOf = async (rows: number[], limit: number | undefined) => {
    const source = { ...database, client: { $queryRaw: async () => rows } } as unknown as Database;
    const streamed = async (_query: unknown, _batches: unknown, onRows: (some: number[]) => Promise<void>) => {
      for (const row of rows) await onRows([row]);
    };
    const prepared: number[][] = [];
    const answer = await jsonLines<number>({ ...source, stream: streamed } as unknown as Database, {
      query: {} as never,
      limit,
      toText: String,
      prepare: async (some) => void prepared.push([...some]),
    });
    return [answer instanceof RawJson ? answer.text : await text(answer), prepared];
  };

  it.each([5, undefined])('ends each row with a line feed (limit %s)', async (limit) => {
    expect(await answerOf([], limit)).toEqual(['', []]);
    expect((await answerOf([1], limit))[0]).toBe('1\n');
    expect((await answerOf([1, 2, 3], limit))[0]).toBe('1\n2\n3\n');
  });

  it('looks rows up together before each of them is written', async () => {
    expect((await answerOf([1, 2], 5))[1]).toEqual([[1, 2]]);
    expect((await answerOf([1, 2], undefined))[1]).toEqual([[1], [2]]);
  });
});
