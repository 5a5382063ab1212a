import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Changes of calls that are there. */
@Injectable()
export class CallChangeRepository {
  constructor(private readonly database: Database) {}

  /** Names a call to show. @returns whether there is such a call */
  async rename(projectRowId: string, id: string, displayName: string | null): Promise<boolean> {
    const changed = await this.database.client.$executeRaw`
      UPDATE calls SET display_name = ${displayName}
      WHERE project_id = ${projectRowId}::uuid AND id = ${id} AND deleted_at IS NULL AND started_at IS NOT NULL`;
    return changed > 0;
  }

  /** Calls, and all that they made, are shown no more; their content is erased later. @returns their ids */
  async delete(projectRowId: string, ids: string[]): Promise<string[]> {
    const deleted = await this.database.client.$queryRaw<{ id: string }[]>(Prisma.sql`
      WITH RECURSIVE doomed AS (
        SELECT c.id FROM calls c
        WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${ids}) AND c.deleted_at IS NULL AND c.started_at IS NOT NULL
        UNION
        SELECT c.id FROM doomed d JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.parent_id = d.id
      ),
      -- In the order in which batches lock calls, so that a delete and a batch never deadlock.
      locked AS (
        SELECT c.id FROM calls c
        WHERE c.project_id = ${projectRowId}::uuid AND c.id IN (SELECT id FROM doomed) AND c.deleted_at IS NULL
        ORDER BY c.id FOR UPDATE
      )
      UPDATE calls c SET deleted_at = now() FROM locked WHERE c.project_id = ${projectRowId}::uuid AND c.id = locked.id
      RETURNING c.id`);
    return deleted.map(({ id }) => id);
  }
}
