import type { Readable } from 'node:stream';

import type { RawJson } from '@hone/contracts';
import type { Database } from '@hone/database';

import { type RowSource, rowStream } from './row-stream.js';

export interface JsonListOptions<Row> extends RowSource<Row> {
  /** JSON text before the rows, which are joined by commas. */
  head: string;
  /** JSON text after the rows. @param rows how many there were */
  tail: (rows: number) => string;
}

/** A JSON answer around a list of rows; see {@link rowStream}. */
export const jsonList = <Row>(database: Database, options: JsonListOptions<Row>): Promise<RawJson | Readable> =>
  rowStream(database, { ...options, separator: ',' });
