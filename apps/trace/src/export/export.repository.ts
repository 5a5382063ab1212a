import { Database } from '@hone/database';
import { LinesAnswer } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type RowSource, rowStream } from '../streams/row-stream.js';

/** Exports, read through a database cursor as fast as the client takes them. */
@Injectable()
export class ExportRepository {
  constructor(private readonly database: Database) {}

  /** Rows without a text are counted as skipped. */
  async stream<Row>(source: RowSource<Row>): Promise<LinesAnswer> {
    const counts = { rows: 0, skipped: 0 };
    const body = await rowStream<Row>(this.database, {
      ...{ ...source, head: '', separator: '', tail: () => '' },
      toText: async (row) => {
        const line = await source.toText(row);
        counts[line === null ? 'skipped' : 'rows']++;
        return line === null ? null : `${line}\n`;
      },
    });
    return new LinesAnswer(body, { 'x-row-count': () => counts.rows, 'x-skipped': () => counts.skipped });
  }
}
