import type { Readable } from 'node:stream';

import type { RawJson } from '@hone/contracts';
import type { Database } from '@hone/database';

import { type RowSource, rowStream } from './row-stream.js';

/** Content type of an answer with one JSON value per line. */
export const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** An answer with one JSON value per line, none when there is no row; see {@link rowStream}. */
export const jsonLines = <Row>(database: Database, source: RowSource<Row>): Promise<RawJson | Readable> =>
  rowStream(database, { ...source, head: '', separator: '\n', tail: (rows) => (rows === 0 ? '' : '\n') });
