import type { Database } from '@hone/database';
import type { ModelRegistry, RemoteModelRecord } from '@hone/tinker';
import { OPEN_STATUSES } from '@hone/training-jobs';

/** The models that attempts have made at remote engines. */
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
