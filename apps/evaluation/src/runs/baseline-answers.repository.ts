import { IS_SHOWN } from '@hone/call-queries';
import { Database } from '@hone/database';
import { trialsOf } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import type { EvaluationJob } from './evaluation-job.record.js';

/** Answers of a run that count, whoever wrote it. */
const answersOf = (projectRowId: string, id: string) => trialsOf(projectRowId, [{ id, trials: null, table: null }]);

/** Answers of earlier runs, with which others are compared. */
@Injectable()
export class BaselineAnswersRepository {
  constructor(private readonly database: Database) {}

  /** Whether the project has a call with answers right below it. */
  async hasRun(projectRowId: string, id: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      WITH ${answersOf(projectRowId, id)}
      SELECT FROM trial JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.id = trial.run AND ${IS_SHOWN}
      WHERE trial.counts AND NOT trial.has_failed LIMIT 1`;
    return rows.length > 0;
  }

  /** Says with which answers of an earlier run those of a job are compared; of fewer trials, with them in turn. */
  async assign({ id, projectRowId }: EvaluationJob, runId: string): Promise<void> {
    await this.database.client.$executeRaw`
      WITH ${answersOf(projectRowId, runId)},
      answer AS (
        SELECT id, digest, row_number() OVER (PARTITION BY digest ORDER BY started_at, id) - 1 AS number,
          count(*) OVER (PARTITION BY digest) AS count
        FROM trial WHERE counts AND NOT has_failed)
      UPDATE evaluation_cells v SET against_call = answer.id FROM answer
      WHERE v.job_id = ${id}::uuid AND v.scorer = 0 AND v.row_digest = answer.digest AND v.trial % answer.count = answer.number`;
  }
}
