import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import { type EvalResultsQueryDto, type RawJson, stringifyJson } from '@hone/contracts';
import { Database } from '@hone/database';

import { jsonList } from '../streams/json-list.js';
import { countRows, resultRows } from './eval-results.sql.js';

/** A row, as far as grouping goes. */
export interface ResultRow {
  rowDigest: string;
  /** Ids of the trials, the first made first. */
  ids: string[];
}

/** Few: each has a trial or more of up to 20 runs, whose values may be large. */
const BATCH_ROWS = 20;

type Row = ResultRow & { total: bigint };

/** Groups the predictions of runs by their inputs. */
@Injectable()
export class EvalResultsRepository {
  constructor(private readonly database: Database) {}

  /** @param read looks up what the rows of a batch need, and returns how each of them reads */
  async query(
    projectRowId: string,
    query: EvalResultsQueryDto,
    read: (rows: ResultRow[]) => Promise<(row: ResultRow) => object>,
  ): Promise<RawJson | Readable> {
    let total: bigint | undefined;
    let toAnswer: (row: ResultRow) => object = () => ({});
    const limit = query.limit ?? 100;
    // A page without rows has none that could say how many there are.
    if (query.limit === 0 || (query.offset ?? 0) > 0) total = await this.#count(projectRowId, query);
    return jsonList<Row>(this.database, {
      query: resultRows(projectRowId, query),
      limit: limit <= BATCH_ROWS ? limit : undefined,
      batchRows: BATCH_ROWS,
      head: '{"rows":[',
      tail: () => `],"total_rows":${total ?? 0n}}`,
      prepare: async (rows) => {
        total = rows[0]?.total;
        toAnswer = await read(rows);
      },
      toText: (row) => stringifyJson(toAnswer(row)),
    });
  }

  async #count(projectRowId: string, query: EvalResultsQueryDto): Promise<bigint> {
    const rows = await this.database.client.$queryRaw<{ total: bigint }[]>(countRows(projectRowId, query));
    return rows[0]?.total ?? 0n;
  }
}
