import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { OwningProject, Visible } from '../access/training-access.js';
import { type ProjectNames, visibleConditions } from '../access/visible.sql.js';

const COLUMNS = Prisma.sql`p.id AS "projectId", e.name AS entity, p.name AS project`;

/** The projects that jobs belong to, by name. */
@Injectable()
export class JobProjectRepository {
  constructor(private readonly database: Database) {}

  /** Row id of a project -> its names. */
  async findOwning(projectIds: readonly string[]): Promise<Map<string, OwningProject>> {
    if (projectIds.length === 0) return new Map();
    const rows = await this.database.client.$queryRaw<OwningProject[]>`
      SELECT ${COLUMNS} FROM projects p JOIN entities e ON e.id = p.entity_id
      WHERE p.id = ANY (${[...new Set(projectIds)]}::uuid[])`;
    return new Map(rows.map((owning) => [owning.projectId, owning]));
  }

  /** Row ids of the projects that a list may show. Null: all there are. */
  async findVisible(visible: Visible, names: ProjectNames): Promise<string[] | null> {
    const conditions = visibleConditions(visible, names);
    if (conditions.length === 0) return null;
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT p.id FROM projects p JOIN entities e ON e.id = p.entity_id WHERE ${Prisma.join(conditions, ' AND ')}`;
    return rows.map(({ id }) => id);
  }
}
