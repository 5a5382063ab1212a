import type { StoredFile } from '@hone/artifacts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';
import type { LogContent, MetricSum } from './log-content.js';

/** One call of `log`. */
export interface LogDraft {
  id: string;
  model: ModelRecord;
  /** Of the latest checkpoint; 0: none. */
  step: number;
  content: LogContent;
  stored: StoredFile;
  createdBy: string;
}

@Injectable()
export class LogRepository {
  constructor(private readonly database: Database) {}

  /** Highest live step; 0: none. The caller holds the model's row, so it stays the highest. */
  async latestStep({ projectId, id }: ModelRecord): Promise<number> {
    const rows = await this.database.client.$queryRaw<{ step: number }[]>`
      SELECT step FROM checkpoints WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND deleted_at IS NULL
      ORDER BY step DESC LIMIT 1`;
    return rows[0]?.step ?? 0;
  }

  async insert(draft: LogDraft): Promise<void> {
    const { id, model, step, content, stored, createdBy } = draft;
    await this.database.client.$executeRaw`
      INSERT INTO log_batches
        (project_id, id, model_id, step, split, uri, bytes, sha256, groups, trajectories, created_by)
      VALUES (${model.projectId}::uuid, ${id}::uuid, ${model.id}::uuid, ${step}, ${content.split}, ${stored.uri},
        ${stored.bytes}::bigint, ${stored.sha256}, ${content.groups}, ${content.trajectories}, ${createdBy}::uuid)`;
    for (const rows of content.rowLists) await this.insertRows(draft, rows);
    await this.addSums(model, step, content.split, content.sums);
  }

  private async insertRows({ id, model, step, content }: LogDraft, rows: string): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO trajectories (project_id, batch_id, group_index, index, model_id, step, split, reward,
        initial_policy_version, final_policy_version, metrics, start_time)
      SELECT ${model.projectId}::uuid, ${id}::uuid, g, i, ${model.id}::uuid, ${step}, ${content.split}, reward,
        first, last, metrics, CASE WHEN start IS NULL THEN now() ELSE to_timestamp(start / 1000.0) END
      FROM json_to_recordset(${rows}::json) AS row (
        g int, i int, reward float8, first int, last int, metrics jsonb, start float8)`;
  }

  private async addSums({ projectId, id }: ModelRecord, step: number, split: string, sums: MetricSum[]): Promise<void> {
    if (sums.length === 0) return;
    await this.database.client.$executeRaw`
      INSERT INTO metric_sums (project_id, model_id, step, split, name, sum, count)
      SELECT ${projectId}::uuid, ${id}::uuid, ${step}, ${split}, name, sum::numeric, count
      FROM json_to_recordset(${JSON.stringify(sums)}::json) AS row (name text, sum text, count bigint)
      ON CONFLICT (project_id, model_id, step, split, name)
        DO UPDATE SET sum = metric_sums.sum + excluded.sum, count = metric_sums.count + excluded.count`;
  }

  /** Writes means over what a checkpoint says so far. */
  async mergeMetrics({ projectId, id }: ModelRecord, step: number, means: Record<string, number>): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE checkpoints SET metrics = metrics || ${JSON.stringify(means)}::jsonb
      WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND step = ${step}`;
  }
}
