import { Database } from '@hone/database';
import type { ModelRegistry, RemoteModelRecord, RemoteWeightsRecord } from '@hone/tinker';
import { OPEN_STATUSES } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

/** The models and weights that attempts have made at remote engines. */
@Injectable()
export class EngineModelsRepository implements ModelRegistry {
  constructor(private readonly database: Database) {}

  async add({ engine, modelId, jobId, attempt }: RemoteModelRecord): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO engine_models (engine, model_id, job_id, attempt)
      VALUES (${engine}, ${modelId}, ${jobId}::uuid, ${attempt}) ON CONFLICT DO NOTHING`;
  }

  async remove(engine: string, modelId: string): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM engine_models WHERE engine = ${engine} AND model_id = ${modelId}`;
  }

  async addWeights({ engine, path, jobId }: RemoteWeightsRecord): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO engine_weights (engine, path, job_id) VALUES (${engine}, ${path}, ${jobId}::uuid)
      ON CONFLICT DO NOTHING`;
  }

  async removeWeights(engine: string, path: string): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM engine_weights WHERE engine = ${engine} AND path = ${path}`;
  }

  /**
   * Weights that neither an open job nor a checkpoint with bytes needs, oldest first. A job that shares the bytes of
   * another one's checkpoint keeps those of that one's row, too.
   */
  async findOrphanWeights(engine: string): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ path: string }[]>`
      SELECT path FROM engine_weights w WHERE engine = ${engine}
        AND NOT EXISTS (SELECT FROM training_jobs j WHERE j.id = w.job_id AND j.status IN ${OPEN_STATUSES})
        AND NOT EXISTS (
          SELECT FROM training_jobs j JOIN checkpoints c ON c.project_id = j.project_id AND c.job_id = j.id
          WHERE j.id = w.job_id AND c.bytes_gone_at IS NULL AND c.engine ->> 'weights' = w.path)
      ORDER BY created_at LIMIT 100`;
    return rows.map(({ path }) => path);
  }

  /** Models of attempts that are over, oldest first. */
  async findOrphans(engine: string): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ modelId: string }[]>`
      SELECT model_id AS "modelId" FROM engine_models e WHERE engine = ${engine}
        AND NOT EXISTS (
          SELECT FROM training_jobs j WHERE j.id = e.job_id AND j.attempt = e.attempt AND j.lease_owner IS NOT NULL
            AND j.status IN ${OPEN_STATUSES})
      ORDER BY created_at LIMIT 100`;
    return rows.map(({ modelId }) => modelId);
  }
}
