import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from './model.record.js';

export interface DeletedModel {
  checkpoints: number;
  hadRun: boolean;
}

/**
 * Deletes what belongs to a model. Bytes stay for the collector while a pin protects them, and so do the rows of
 * trajectories, which may be too many for one statement. Without their batches no query finds them.
 */
@Injectable()
export class ModelDeleteRepository {
  constructor(private readonly database: Database) {}

  /** The caller's transaction holds the model's row, and has ended its jobs. */
  async deleteAll({ projectId, id }: ModelRecord): Promise<DeletedModel> {
    const { client } = this.database;
    await client.$executeRaw`
      UPDATE trainable_models SET deleted_at = now() WHERE project_id = ${projectId}::uuid AND id = ${id}::uuid`;
    const runs = await client.$executeRaw`
      UPDATE training_runs SET deleted_at = now()
      WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND deleted_at IS NULL`;
    const checkpoints = await client.$executeRaw`
      UPDATE checkpoints SET deleted_at = now()
      WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND deleted_at IS NULL`;
    await client.$executeRaw`
      UPDATE artifact_versions SET deleted_at = now() WHERE project_id = ${projectId}::uuid AND deleted_at IS NULL
        AND artifact_id IN (
          SELECT id FROM artifacts WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid)`;
    await client.$executeRaw`
      DELETE FROM checkpoint_aliases WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid`;
    await this.deleteLog(projectId, id);
    return { checkpoints, hadRun: runs > 0 };
  }

  private async deleteLog(projectId: string, id: string): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      DELETE FROM log_batches WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid`;
    await client.$executeRaw`
      DELETE FROM metric_sums WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid`;
  }
}
