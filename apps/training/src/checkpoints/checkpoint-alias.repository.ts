import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';

export interface CheckpointAlias {
  alias: string;
  /** 0: the base. */
  step: number;
  /** Null: the base. */
  checkpointId: string | null;
  updatedAt: Date;
  updatedBy: string;
}

type ModelKey = Pick<ModelRecord, 'projectId' | 'id'>;

const ofModel = ({ projectId, id }: ModelKey): Prisma.Sql =>
  Prisma.sql`a.project_id = ${projectId}::uuid AND a.model_id = ${id}::uuid`;

/** Aliases of checkpoints. Whoever changes one holds the row of the model. */
@Injectable()
export class CheckpointAliasRepository {
  constructor(private readonly database: Database) {}

  /** By name, in the order of code points. */
  async list(model: ModelKey): Promise<CheckpointAlias[]> {
    return this.query(Prisma.sql`${ofModel(model)}`);
  }

  async find(model: ModelKey, alias: string): Promise<CheckpointAlias | null> {
    const [found] = await this.query(Prisma.sql`${ofModel(model)} AND a.name = ${alias}`);
    return found ?? null;
  }

  /** The first alias of one of these steps; null: they have none. */
  async findOfSteps(model: ModelKey, steps: readonly number[]): Promise<CheckpointAlias | null> {
    const [found] = await this.query(Prisma.sql`${ofModel(model)} AND a.step = ANY (${[...steps]}::int[])`);
    return found ?? null;
  }

  async put({ projectId, id }: ModelKey, alias: string, step: number, updatedBy: string): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO checkpoint_aliases (project_id, model_id, name, step, updated_at, updated_by)
      VALUES (${projectId}::uuid, ${id}::uuid, ${alias}, ${step}, now(), ${updatedBy}::uuid)
      ON CONFLICT (project_id, model_id, name)
      DO UPDATE SET step = excluded.step, updated_at = excluded.updated_at, updated_by = excluded.updated_by`;
  }

  async delete(model: ModelKey, alias: string): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM checkpoint_aliases a WHERE ${ofModel(model)} AND a.name = ${alias}`;
  }

  private query(condition: Prisma.Sql): Promise<CheckpointAlias[]> {
    return this.database.client.$queryRaw<CheckpointAlias[]>`
      SELECT a.name AS alias, a.step, c.id AS "checkpointId", a.updated_at AS "updatedAt", a.updated_by AS "updatedBy"
      FROM checkpoint_aliases a LEFT JOIN checkpoints c
        ON c.project_id = a.project_id AND c.model_id = a.model_id AND c.step = a.step AND c.deleted_at IS NULL
      WHERE ${condition} ORDER BY a.name COLLATE "C"`;
  }
}
