import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

import type { Place, Visible } from '../access/training-access.js';
import { type ProjectNames, visibleConditions } from '../access/visible.sql.js';

const PLACE = Prisma.sql`p.id AS "projectId", e.name AS entity, p.name AS project`;

/** Where jobs lie: their projects by name. */
@Injectable()
export class JobPlaceRepository {
  constructor(private readonly database: Database) {}

  /** Row id of a project -> its names. */
  async findPlaces(projectIds: readonly string[]): Promise<Map<string, Place>> {
    if (projectIds.length === 0) return new Map();
    const rows = await this.database.client.$queryRaw<Place[]>`
      SELECT ${PLACE} FROM projects p JOIN entities e ON e.id = p.entity_id
      WHERE p.id = ANY (${[...new Set(projectIds)]}::uuid[])`;
    return new Map(rows.map((place) => [place.projectId, place]));
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
