import type { Readable } from 'node:stream';

import type { RawJson } from '@hone/contracts';
import type { Database } from '@hone/database';

import { type RowSource, rowStream } from './row-stream.js';

/** An answer with one JSON value per line, none when there is no row; see {@link rowStream}. Its handler is declared by
 * `@AnswersLines`. */
export const jsonLines = <Row>(database: Database, source: RowSource<Row>): Promise<RawJson | Readable> =>
  rowStream(database, { ...source, head: '', separator: '\n', tail: (rows) => (rows === 0 ? '' : '\n') });
