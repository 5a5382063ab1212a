import { Injectable } from '@nestjs/common';
import { IS_SHOWN, JOIN_VALUES } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';

import { isOfKind } from './tracked-call.sql.js';
import { PREDICTION } from './tracked-kinds.js';

/** Ends predictions. */
@Injectable()
export class EvaluationRunRepository {
  constructor(private readonly database: Database) {}

  /** Ends the open predictions of a run. */
  async endPredictions(projectRowId: string, runId: string, endedAt: Date): Promise<void> {
    await this.#end(projectRowId, Prisma.sql`c.parent_id = ${runId}`, endedAt);
  }

  /** Ends a prediction; one that has ended stays as it is. */
  async endPrediction(projectRowId: string, id: string, endedAt: Date): Promise<void> {
    await this.#end(projectRowId, Prisma.sql`c.id = ${id}`, endedAt);
  }

  /** Rows are locked in the order in which batches lock calls, so that these never deadlock with an end. */
  async #end(projectRowId: string, condition: Prisma.Sql, endedAt: Date): Promise<void> {
    await this.database.client.$executeRaw`
      WITH open AS (
        SELECT c.id FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND ${condition} AND ${IS_SHOWN}
          AND c.ended_at IS NULL AND EXISTS (SELECT 1 FROM (SELECT c.project_id, c.id) c ${JOIN_VALUES}
            WHERE ${isOfKind(PREDICTION)})
        ORDER BY c.id FOR UPDATE
      )
      UPDATE calls c SET ended_at = greatest(${endedAt}, c.started_at) FROM open
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = open.id`;
  }
}
