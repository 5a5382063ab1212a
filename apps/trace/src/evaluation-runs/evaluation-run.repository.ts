import { IS_SHOWN, JOIN_VALUES } from '@hone/call-queries';
import { type CallKey, EVALUATION_CALLS } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { isOfKind } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

/** How predictions end. */
export interface PredictionEnd {
  at: Date;
  /** Why they failed. Null: they did not. */
  exception: string | null;
}

/** Ends predictions. Each answers the calls that failed by it, for the tree of calls to settle. */
@Injectable()
export class EvaluationRunRepository {
  constructor(private readonly database: Database) {}

  /** Ends the open predictions of a run. */
  endPredictions(projectRowId: string, runId: string, end: PredictionEnd): Promise<CallKey[]> {
    return this.end(projectRowId, Prisma.sql`c.parent_id = ${runId} AND c.ended_at IS NULL`, end);
  }

  /** Ends a prediction; one that has ended gets the exception alone. */
  endPrediction(projectRowId: string, id: string, end: PredictionEnd): Promise<CallKey[]> {
    const isOpen = end.exception === null ? Prisma.sql`AND c.ended_at IS NULL` : Prisma.empty;
    return this.end(projectRowId, Prisma.sql`c.id = ${id} ${isOpen}`, end);
  }

  /** Rows are locked in the order in which batches lock calls, so that these never deadlock with an end. */
  private async end(projectRowId: string, condition: Prisma.Sql, { at, exception }: PredictionEnd): Promise<CallKey[]> {
    const ended = await this.database.client.$queryRaw<CallKey[]>`
      WITH meant AS (
        SELECT c.id FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND ${condition} AND ${IS_SHOWN}
          AND EXISTS (SELECT 1 FROM (SELECT c.project_id, c.id) c ${JOIN_VALUES} WHERE ${isOfKind(EVALUATION_CALLS.prediction)})
        ORDER BY c.id FOR UPDATE
      )
      UPDATE calls c SET ended_at = coalesce(c.ended_at, greatest(${at}, c.started_at)),
        exception = coalesce(${exception}, c.exception)
      FROM meant WHERE c.project_id = ${projectRowId}::uuid AND c.id = meant.id
      RETURNING c.project_id AS "projectRowId", c.id`;
    return exception === null ? [] : ended;
  }
}
