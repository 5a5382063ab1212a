import type { Order } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';
import type { CheckpointDetail, CheckpointRecord } from './checkpoint.record.js';

type ModelKey = Pick<ModelRecord, 'projectId' | 'id'>;

const ofModel = ({ projectId, id }: ModelKey): Prisma.Sql =>
  Prisma.sql`project_id = ${projectId}::uuid AND model_id = ${id}::uuid`;

@Injectable()
export class CheckpointRepository {
  constructor(private readonly database: Database) {}

  /** Step of a checkpoint of the model, live or deleted; null: it is not one of the model's. */
  async findStep(model: ModelKey, id: string): Promise<number | null> {
    const rows = await this.database.client.$queryRaw<{ step: number }[]>`
      SELECT step FROM checkpoints WHERE ${ofModel(model)} AND id = ${id}::uuid`;
    return rows[0]?.step ?? null;
  }

  /** Up to `count` live checkpoints by step. @param after excluded; undefined: from the start */
  async list(model: ModelKey, count: number, order: Order, after: number | undefined): Promise<CheckpointRecord[]> {
    const [direction, beyond] = order === 'asc' ? [Prisma.sql`ASC`, Prisma.sql`>`] : [Prisma.sql`DESC`, Prisma.sql`<`];
    const start = after === undefined ? Prisma.empty : Prisma.sql`AND step ${beyond} ${after}`;
    return this.database.client.$queryRaw<CheckpointRecord[]>`
      SELECT id, step, metrics FROM checkpoints WHERE ${ofModel(model)} AND deleted_at IS NULL ${start}
      ORDER BY step ${direction} LIMIT ${count}`;
  }

  async find(model: ModelKey, step: number): Promise<CheckpointDetail | null> {
    const rows = await this.database.client.$queryRaw<CheckpointDetail[]>`
      SELECT id, step, metrics, created_at AS "createdAt", job_id AS "jobId", kind, parent_step AS "parentStep",
        bytes::float8 AS bytes, engine, uri, manifest_sha256 AS "manifestSha256", EXISTS (
          SELECT 1 FROM checkpoint_pins pin WHERE pin.project_id = c.project_id AND pin.checkpoint_id = c.id
            AND (pin.expires_at IS NULL OR pin.expires_at > now())) AS "isPinned"
      FROM checkpoints c WHERE ${ofModel(model)} AND step = ${step} AND deleted_at IS NULL`;
    return rows[0] ?? null;
  }

  /** Deletes the live checkpoints at these steps; returns the steps that there were. */
  async deleteSteps(model: ModelKey, steps: readonly number[]): Promise<number[]> {
    const rows = await this.database.client.$queryRaw<{ step: number }[]>`
      UPDATE checkpoints SET deleted_at = now()
      WHERE ${ofModel(model)} AND step = ANY (${[...steps]}::int[]) AND deleted_at IS NULL RETURNING step`;
    return rows.map(({ step }) => step);
  }
}
