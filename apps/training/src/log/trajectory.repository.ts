import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';
import type { TrajectoryKey, TrajectoryRecord } from './trajectory.record.js';

export interface TrajectoryFilter {
  split?: string;
  step?: number;
}

@Injectable()
export class TrajectoryRepository {
  constructor(private readonly database: Database) {}

  async exists({ projectId, id }: ModelRecord, { batchId, groupIndex, index }: TrajectoryKey): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM trajectories WHERE project_id = ${projectId}::uuid AND batch_id = ${batchId}::uuid
        AND group_index = ${groupIndex} AND index = ${index} AND model_id = ${id}::uuid`;
    return rows.length > 0;
  }

  /** Up to `count` trajectories in the order in which they were logged. @param after excluded; undefined: from the start */
  async list(
    { projectId, id }: ModelRecord,
    { split, step }: TrajectoryFilter,
    count: number,
    after: TrajectoryKey | undefined,
  ): Promise<TrajectoryRecord[]> {
    const filter = Prisma.sql`
      ${split === undefined ? Prisma.empty : Prisma.sql`AND b.split = ${split}`}
      ${step === undefined ? Prisma.empty : Prisma.sql`AND b.step = ${step}`}`;
    // The first condition finds the batches by their index, the second the position within the first of them.
    const start = after
      ? Prisma.sql`AND b.id >= ${after.batchId}::uuid AND (t.batch_id, t.group_index, t.index)
          > (${after.batchId}::uuid, ${after.groupIndex}::int, ${after.index}::int)`
      : Prisma.empty;
    return this.database.client.$queryRaw<TrajectoryRecord[]>`
      SELECT t.batch_id AS "batchId", t.group_index AS "groupIndex", t.index, t.split, t.step, t.reward, t.metrics,
        b.uri, b.sha256
      FROM log_batches b JOIN trajectories t ON t.project_id = b.project_id AND t.batch_id = b.id
      WHERE b.project_id = ${projectId}::uuid AND b.model_id = ${id}::uuid ${filter} ${start}
      ORDER BY t.batch_id, t.group_index, t.index LIMIT ${count}`;
  }
}
