import { IS_SHOWN } from '@hone/call-queries';
import { type StoredValue, ValueRepository } from '@hone/calls';
import type { JudgeTruthDto } from '@hone/contracts';
import { Database, type Prisma } from '@hone/database';
import { countStatuses, type PlannedRun, type RunCall, type StatusCounts } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { labelOf } from '../truth/label.sql.js';
import { labelLines, rowLines, trialLines, usageLines } from './compared-trials.sql.js';
import { ComparisonTooLargeError } from './comparisons.errors.js';
import type { SliceCondition } from './slices.sql.js';

/** Bytes of all lines of a kind. */
const MAX_BYTES = 67_108_864;
/** Bytes of all maps of scorers: the service parses them between other requests. */
const MAX_SCORERS_BYTES = 1_048_576;
/** Texts that are fetched together. */
const BATCH_CHUNKS = 4;

/** The call of a run. */
export interface RunRow extends RunCall {
  /** What it is called. */
  readonly name: string;
}

interface Chunk {
  text: string;
  /** Maps of a score's name to its scorer, as JSON; null: none is known. */
  scorers?: string | null;
}

/** Reads what runs are compared by, as texts that a thread parses. */
@Injectable()
export class ComparedRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** The calls of the runs that there are, in no order. */
  async findRuns(projectRowId: string, ids: readonly string[]): Promise<RunRow[]> {
    type Columns = Record<`${'attributes' | 'inputs'}_${'text' | 'blob'}`, string | null>;
    const rows = await this.database.client.$queryRaw<({ id: string; name: string } & Columns)[]>`
      SELECT c.id, coalesce(c.display_name, c.op_name) AS name, s.attributes_text, s.attributes_blob, s.inputs_text, s.inputs_blob
      FROM calls c LEFT JOIN call_values s ON s.project_id = c.project_id AND s.id = c.id
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${[...ids]}) AND ${IS_SHOWN}`;
    const read = (value: StoredValue) => this.values.get(projectRowId, value);
    const runs: RunRow[] = [];
    for (const row of rows)
      runs.push({
        ...{ id: row.id, name: row.name },
        attributes: await read({ text: row.attributes_text, blob: row.attributes_blob }),
        inputs: await read({ text: row.inputs_text, blob: row.inputs_blob }),
      });
    return runs;
  }

  /** How many calls are right below the runs, counted up to a limit. */
  async countBelow(projectRowId: string, runIds: readonly string[], limit: number): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND c.parent_id = ANY(${[...runIds]}) AND ${IS_SHOWN}
        LIMIT ${limit}) found`;
    return row?.count ?? 0;
  }

  /** In no order. */
  countStatuses(projectRowId: string, runs: readonly PlannedRun[]): Promise<StatusCounts[]> {
    return this.database.client.$queryRaw<StatusCounts[]>(countStatuses(projectRowId, runs));
  }

  /**
   * Texts of `TrialLine`s, and different lists of maps of a score's name to its scorer: none where these are too many, so
   * that nobody knows whose the scores are.
   *
   * @throws ComparisonTooLargeError
   */
  async trials(projectRowId: string, runs: readonly PlannedRun[]): Promise<{ texts: string[]; scorers: string[] }> {
    const scorers = new Set<string>();
    const texts = await this.read(trialLines(projectRowId, runs), (chunk) => {
      if (chunk.scorers) scorers.add(chunk.scorers);
    });
    const bytes = [...scorers].reduce((sum, { length }) => sum + length, 0);
    return { texts, scorers: bytes > MAX_SCORERS_BYTES ? [] : [...scorers] };
  }

  /** Texts of `UsageLine`s. @throws ComparisonTooLargeError */
  usage(projectRowId: string, runIds: readonly string[], changes: readonly Date[]): Promise<string[]> {
    return this.read(usageLines(projectRowId, runIds, changes));
  }

  /** Texts of `RowLine`s. @throws ComparisonTooLargeError */
  rows(projectRowId: string, runs: readonly PlannedRun[], conditions: readonly SliceCondition[]): Promise<string[]> {
    return this.read(rowLines(projectRowId, runs, conditions));
  }

  /** Texts of `LabelLine`s. @throws ComparisonTooLargeError */
  async labels(project: OwnProject, runIds: readonly string[], truths: readonly JudgeTruthDto[]): Promise<string[]> {
    const texts: string[] = [];
    const at = { projectId: project.id, projectRowId: project.rowId };
    for (const [index, truth] of truths.entries()) {
      texts.push(...(await this.read(labelLines(at, runIds, index, truth.feedback_type, labelOf(truth)))));
      if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_BYTES)
        throw ComparisonTooLargeError.ofBytes(MAX_BYTES);
    }
    return texts;
  }

  private async read(query: Prisma.Sql, seen: (chunk: Chunk) => void = () => undefined): Promise<string[]> {
    const texts: string[] = [];
    let bytes = 0;
    await this.database.stream<Chunk>(query, { batchRows: BATCH_CHUNKS }, (chunks) => {
      for (const chunk of chunks) {
        bytes += chunk.text.length + (chunk.scorers?.length ?? 0);
        if (bytes > MAX_BYTES) throw ComparisonTooLargeError.ofBytes(MAX_BYTES);
        texts.push(chunk.text);
        seen(chunk);
      }
      return Promise.resolve();
    });
    return texts;
  }
}
