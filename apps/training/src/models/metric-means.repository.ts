import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { meansOf, type MetricRow } from './metric-means.js';
import type { ModelRecord } from './model.record.js';

@Injectable()
export class MetricMeansRepository {
  constructor(private readonly database: Database) {}

  /**
   * Means of what was logged for a model at a step.
   *
   * @param split undefined: of every split
   */
  async find({ projectId, id }: ModelRecord, step: number, split?: string): Promise<Record<string, number>> {
    // As text: a double of the database would be an error where the mean is smaller than the smallest of them.
    const rows = await this.database.client.$queryRaw<MetricRow[]>`
      SELECT split, name, sum::text AS sum, (sum / nullif(count, 0))::text AS mean, count::float8 AS count FROM metric_sums
      WHERE project_id = ${projectId}::uuid AND model_id = ${id}::uuid AND step = ${step}
      ${split === undefined ? Prisma.empty : Prisma.sql`AND split = ${split}`}`;
    return meansOf(rows);
  }
}
