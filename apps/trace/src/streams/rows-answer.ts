import type { Readable } from 'node:stream';

import { RawJson } from '@hone/contracts';
import type { Database } from '@hone/database';
import { LinesAnswer } from '@hone/platform';

import { jsonList, type JsonListOptions } from './json-list.js';
import { rowStream } from './row-stream.js';

/** What a list answers: one JSON object, or one record per line. */
export type RowsAnswer = RawJson | Readable | LinesAnswer;

/** A list without rows. @param json the answer as one JSON object */
export const noRows = (json: string, asLines: boolean): RowsAnswer =>
  asLines ? new LinesAnswer(new RawJson(''), { 'x-row-count': () => 0 }) : new RawJson(json);

/**
 * A list as one JSON object, or, where the client asks for lines, as one record per line: these have a trailer
 * `X-Row-Count`, so that a client can tell that it has all of them.
 */
export async function rowsAnswer<Row>(
  database: Database,
  { head, tail, ...source }: JsonListOptions<Row>,
  asLines: boolean,
): Promise<RowsAnswer> {
  if (!asLines) return jsonList(database, { head, tail, ...source });
  let rows = 0;
  const body = await rowStream(database, {
    ...{ ...source, head: '', separator: '\n' },
    tail: (count) => {
      rows = count;
      return count === 0 ? '' : '\n';
    },
  });
  return new LinesAnswer(body, { 'x-row-count': () => rows });
}
