import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { EvaluationJob } from './evaluation-job.record.js';

/** What of a job was deleted while it ran, which the trace service does. */
@Injectable()
export class DeletedRunsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of its evaluation runs that were deleted. */
  async find({ projectRowId, plan }: EvaluationJob): Promise<ReadonlySet<string>> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT id FROM calls WHERE project_id = ${projectRowId}::uuid AND id = ANY(${plan.candidates.map(({ runId }) => runId)}::text[])
        AND deleted_at IS NOT NULL`;
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether the version of the evaluation that it runs was deleted. */
  async isEvaluationDeleted({ projectRowId, plan: { evaluation } }: EvaluationJob): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM object_versions WHERE project_id = ${projectRowId}::uuid AND object_id = ${evaluation.objectId}
        AND digest = ${evaluation.digest} AND deleted_at IS NOT NULL`;
    return rows.length > 0;
  }
}
