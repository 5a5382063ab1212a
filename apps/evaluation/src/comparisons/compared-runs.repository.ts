import { IS_SHOWN, refOfCall } from '@hone/call-queries';
import { type StoredValue, ValueRepository } from '@hone/calls';
import type { JudgeTruthDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { countStatuses, type PlannedRun, type RunCall, type StatusCounts } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { ComparedLines, type TrialTexts } from './compared-lines.repository.js';
import { answerLines, labelLines, rowLines, trialLines, usageLines } from './compared-trials.sql.js';
import type { SliceCondition } from './slices.sql.js';

/** The call of a run. */
export interface RunRow extends RunCall {
  /** What it is called. */
  readonly name: string;
  /** Whether no prediction comes any more. */
  readonly hasEnded: boolean;
}

/** Reads what runs are compared by, as texts that a thread parses. */
@Injectable()
export class ComparedRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
    private readonly lines: ComparedLines,
  ) {}

  /** The calls of the runs that there are, in no order. */
  async findRuns(projectRowId: string, ids: readonly string[]): Promise<RunRow[]> {
    type Columns = Record<`${'attributes' | 'inputs'}_${'text' | 'blob'}`, string | null>;
    const rows = await this.database.client.$queryRaw<(Pick<RunRow, 'id' | 'name' | 'hasEnded'> & Columns)[]>`
      SELECT c.id, coalesce(c.display_name, c.op_name) AS name, c.ended_at IS NOT NULL AS "hasEnded", s.attributes_text, s.attributes_blob, s.inputs_text, s.inputs_blob
      FROM calls c LEFT JOIN call_values s ON s.project_id = c.project_id AND s.id = c.id
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${[...ids]}) AND ${IS_SHOWN}`;
    const read = (value: StoredValue) => this.values.get(projectRowId, value);
    const runs: RunRow[] = [];
    for (const row of rows)
      runs.push({
        ...{ id: row.id, name: row.name, hasEnded: row.hasEnded },
        attributes: await read({ text: row.attributes_text, blob: row.attributes_blob }),
        inputs: await read({ text: row.inputs_text, blob: row.inputs_blob }),
      });
    return runs;
  }

  /** Those of the runs that open evaluations of the server are to begin, or have begun. */
  async findPlanned(projectRowId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT candidate ->> 'runId' AS id FROM evaluation_jobs j CROSS JOIN LATERAL jsonb_array_elements(j.plan -> 'candidates') AS candidate
      WHERE j.project_id = ${projectRowId}::uuid AND j.finished_at IS NULL AND candidate ->> 'runId' = ANY(${[...ids]})`;
    return rows.map(({ id }) => id);
  }

  /**
   * A text that differs once a run, a call up to two levels below it or a label of one of these was written or deleted.
   * It costs far less than to read them.
   *
   * @param feedbackType of the labels; null: none matter
   * @returns null: a run has no call yet
   */
  async stateOf(
    { id, rowId }: OwnProject,
    runIds: readonly string[],
    feedbackType: string | null,
  ): Promise<string | null> {
    const CALLS = Prisma.sql`SELECT c.id, c.xmin::text::bigint AS written_by FROM calls c`;
    const [row] = await this.database.client.$queryRaw<{ state: string | null }[]>`
      WITH run AS (${CALLS} WHERE c.project_id = ${rowId}::uuid AND c.id = ANY(${[...runIds]})),
        trial AS (${CALLS} WHERE c.project_id = ${rowId}::uuid AND c.parent_id = ANY(${[...runIds]})),
        part AS (${CALLS} JOIN trial t ON t.id = c.parent_id WHERE c.project_id = ${rowId}::uuid),
        call AS (TABLE run UNION ALL TABLE trial UNION ALL TABLE part),
        label AS (
          SELECT f.id, f.xmin::text::bigint FROM call c JOIN feedback f ON f.trace_ref = ${refOfCall(id, Prisma.sql`c.id`)}
          WHERE f.project_id = ${rowId}::uuid AND f.feedback_type = ${feedbackType})
      SELECT CASE WHEN (SELECT count(*) FROM run) = ${runIds.length} THEN concat_ws(' ', count(*), sum(written_by), max(written_by)) END AS state
      FROM (TABLE call UNION ALL TABLE label) seen`;
    return row?.state ?? null;
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

  /** See {@link ComparedLines.trials}. @throws ComparisonTooLargeError */
  trials(projectRowId: string, runs: readonly PlannedRun[]): Promise<TrialTexts> {
    return this.lines.trials(trialLines(projectRowId, runs));
  }

  /** Texts of `UsageLine`s. @throws ComparisonTooLargeError */
  usage(projectRowId: string, runIds: readonly string[], changes: readonly Date[]): Promise<string[]> {
    return this.lines.read(usageLines(projectRowId, runIds, changes));
  }

  /** Texts of `RowLine`s. @throws ComparisonTooLargeError */
  rows(projectRowId: string, runs: readonly PlannedRun[], conditions: readonly SliceCondition[]): Promise<string[]> {
    return this.lines.read(rowLines(projectRowId, runs, conditions));
  }

  /** Texts of `AnswerLine`s. @throws ComparisonTooLargeError */
  answers(projectRowId: string, runs: readonly PlannedRun[]): Promise<string[]> {
    return this.lines.read(answerLines(projectRowId, runs));
  }

  /** Texts of `LabelLine`s. @throws ComparisonTooLargeError */
  labels(project: OwnProject, runIds: readonly string[], truths: readonly JudgeTruthDto[]): Promise<string[]> {
    return this.lines.labels(project, truths, (read) => labelLines(read, runIds));
  }
}
