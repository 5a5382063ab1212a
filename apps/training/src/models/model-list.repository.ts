import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { Visible } from '../access/training-access.js';
import { type ProjectNames, visibleConditions } from '../access/visible.sql.js';
import type { OrderedPageQuery } from '../http/page.js';
import type { ModelListRecord } from './model.record.js';
import { MODEL_COLUMNS, MODEL_TABLES } from './model.repository.js';

/** Names that narrow a list; absent: they do not. */
export interface ModelFilter extends ProjectNames {
  readonly name?: string;
}

@Injectable()
export class ModelListRepository {
  constructor(private readonly database: Database) {}

  /** Up to `limit + 1` live models, in the order in which they were made. */
  async list(
    visible: Visible,
    filter: ModelFilter,
    { limit, after, order }: OrderedPageQuery,
  ): Promise<ModelListRecord[]> {
    const conditions = [
      Prisma.sql`m.deleted_at IS NULL`,
      ...visibleConditions(visible, filter),
      filter.name !== undefined && Prisma.sql`m.name = ${filter.name}`,
      after !== undefined && Prisma.sql`m.id ${order === 'asc' ? Prisma.sql`>` : Prisma.sql`<`} ${after}::uuid`,
    ].filter((condition) => condition instanceof Prisma.Sql);
    return this.database.client.$queryRaw<ModelListRecord[]>`
      SELECT ${MODEL_COLUMNS}, coalesce((
        SELECT max(step) FROM checkpoints c
        WHERE c.project_id = m.project_id AND c.model_id = m.id AND c.deleted_at IS NULL), 0) AS "latestStep"
      FROM ${MODEL_TABLES} WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY m.id ${order === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`} LIMIT ${limit + 1}`;
  }

  /** Whether a model, live or deleted, is one that the list could have shown. */
  async wasVisible(visible: Visible, id: string): Promise<boolean> {
    const conditions = [Prisma.sql`m.id = ${id}::uuid`, ...visibleConditions(visible)];
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM ${MODEL_TABLES} WHERE ${Prisma.join(conditions, ' AND ')}`;
    return rows.length > 0;
  }
}
