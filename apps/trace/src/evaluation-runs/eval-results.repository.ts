import type { Readable } from 'node:stream';

import { type EvalResultsQueryDto, type RawJson, stringifyJson } from '@hone/contracts';
import { Database } from '@hone/database';
import { countStatuses, type PlannedRun, sdkFailures, type StatusCounts } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import { jsonList } from '../streams/json-list.js';
import { countRows, resultRows } from './eval-results.sql.js';

/** A row, as far as grouping goes. */
export interface ResultRow {
  rowDigest: string;
  /** Ids of the trials, the first made first. */
  ids: string[];
  /** Ids of those that count. */
  counted: string[];
  /** Ids of the runs that miss the row; empty also where nobody asked for them. */
  missing: string[];
  /** Row id of the project whose table has the row. Null: no run misses it. */
  tableProject: string | null;
}

/** Why a trial of an SDK, or one of its scores, failed. */
export interface SdkFailure {
  trial: string;
  opName: string;
  isScorer: boolean;
  exception: string;
}

/** Few: each has a trial or more of up to 20 runs, whose values may be large. */
const BATCH_ROWS = 20;

type Row = ResultRow & { total: bigint };

/** Groups the predictions of runs by their inputs. */
@Injectable()
export class EvalResultsRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param summary what the answer ends with
   * @param read looks up what the rows of a batch need, and returns how each of them reads
   */
  async query(
    projectRowId: string,
    runs: readonly PlannedRun[],
    query: EvalResultsQueryDto,
    summary: readonly object[],
    read: (rows: ResultRow[]) => Promise<(row: ResultRow) => object>,
  ): Promise<RawJson | Readable> {
    let total: bigint | undefined;
    let toAnswer: (row: ResultRow) => object = () => ({});
    const limit = query.limit ?? 100;
    // A page without rows has none that could say how many there are.
    if (query.limit === 0 || (query.offset ?? 0) > 0) total = await this.count(projectRowId, runs, query);
    return jsonList<Row>(this.database, {
      query: resultRows(projectRowId, runs, query),
      limit: limit <= BATCH_ROWS ? limit : undefined,
      batchRows: BATCH_ROWS,
      head: '{"rows":[',
      tail: () => `],"total_rows":${total ?? 0n},"summary":${stringifyJson(summary)}}`,
      prepare: async (rows) => {
        total = rows[0]?.total;
        toAnswer = await read(rows);
      },
      toText: (row) => stringifyJson(toAnswer(row)),
    });
  }

  private async count(projectRowId: string, runs: readonly PlannedRun[], query: EvalResultsQueryDto): Promise<bigint> {
    const rows = await this.database.client.$queryRaw<{ total: bigint }[]>(countRows(projectRowId, runs, query));
    return rows[0]?.total ?? 0n;
  }

  /** In no order. */
  countStatuses(projectRowId: string, runs: readonly PlannedRun[]): Promise<StatusCounts[]> {
    return this.database.client.$queryRaw<StatusCounts[]>(countStatuses(projectRowId, runs));
  }

  /** Why the trials that have no exception failed, what failed first first. */
  listSdkFailures(projectRowId: string, ids: string[]): Promise<SdkFailure[]> {
    return this.database.client.$queryRaw<SdkFailure[]>(sdkFailures(projectRowId, ids));
  }
}
