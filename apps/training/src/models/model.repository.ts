import { Database, newId, Prisma } from '@hone/database';
import { OPEN_STATUSES } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import type { ModelDraft, ModelFacts, ModelRecord } from './model.record.js';

/** Columns of a live model and its project. */
export const MODEL_COLUMNS = Prisma.sql`
  m.id, m.project_id AS "projectId", e.name AS entity, p.name AS project, m.name, m.base_model AS "baseModel",
  m.run_id AS "runId", m.engine, m.last_step AS "lastStep", m.created_at AS "createdAt"`;
export const MODEL_TABLES = Prisma.sql`
  trainable_models m JOIN projects p ON p.id = m.project_id JOIN entities e ON e.id = p.entity_id`;

@Injectable()
export class ModelRepository {
  constructor(private readonly database: Database) {}

  /** Null: unknown or deleted. */
  async find(id: string): Promise<ModelRecord | null> {
    const rows = await this.database.client.$queryRaw<ModelRecord[]>`
      SELECT ${MODEL_COLUMNS} FROM ${MODEL_TABLES} WHERE m.id = ${id}::uuid AND m.deleted_at IS NULL`;
    return rows[0] ?? null;
  }

  async findByName(projectId: string, name: string): Promise<ModelRecord | null> {
    const rows = await this.database.client.$queryRaw<ModelRecord[]>`
      SELECT ${MODEL_COLUMNS} FROM ${MODEL_TABLES}
      WHERE m.project_id = ${projectId}::uuid AND m.name = ${name} AND m.deleted_at IS NULL`;
    return rows[0] ?? null;
  }

  /** Inserts a model and its run. False: the name is taken, also by a transaction that this one waited for. */
  async insert({ projectId, name, baseModel, createdBy }: ModelDraft): Promise<boolean> {
    const [id, runId] = [newId(), newId()];
    const inserted = await this.database.client.$executeRaw`
      INSERT INTO trainable_models (project_id, id, name, base_model, run_id, created_by)
      VALUES (${projectId}::uuid, ${id}::uuid, ${name}, ${baseModel}, ${runId}::uuid, ${createdBy}::uuid)
      ON CONFLICT (project_id, name) WHERE deleted_at IS NULL DO NOTHING`;
    if (inserted === 0) return false;
    await this.database.client.$executeRaw`
      INSERT INTO training_runs (project_id, id, model_id) VALUES (${projectId}::uuid, ${runId}::uuid, ${id}::uuid)`;
    return true;
  }

  /** Holds the model's row until the transaction ends; comes before the rows of its jobs. False: it is deleted. */
  async lock({ projectId, id }: Pick<ModelRecord, 'projectId' | 'id'>): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM trainable_models
      WHERE project_id = ${projectId}::uuid AND id = ${id}::uuid AND deleted_at IS NULL FOR UPDATE`;
    return rows.length > 0;
  }

  async facts({ projectId, id }: ModelRecord): Promise<ModelFacts> {
    const rows = await this.database.client.$queryRaw<ModelFacts[]>`
      SELECT coalesce(max(step), 0) AS "latestStep", coalesce(sum(steps), 0)::int AS "checkpointCount",
        coalesce(sum(bytes), 0)::float8 AS bytes,
        (SELECT count(*)::int FROM training_jobs WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid
          AND status IN ${OPEN_STATUSES}) AS "openJobs"
      FROM (
        SELECT max(step) AS step, count(*) AS steps, max(bytes) AS bytes FROM checkpoints
        WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND deleted_at IS NULL GROUP BY uri) stored`;
    return rows[0] as ModelFacts;
  }
}
