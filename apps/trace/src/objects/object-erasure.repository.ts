import { markErased } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Erases versions for good. */
@Injectable()
export class ObjectErasureRepository {
  constructor(private readonly database: Database) {}

  /**
   * Erases deleted versions, in the ambient transaction. Chunks and files that they name are marked.
   *
   * @param digests null: all that are deleted
   * @returns how many
   */
  async eraseDeleted(projectRowId: string, objectId: string, digests: string[] | null): Promise<number> {
    const which = digests === null ? Prisma.empty : Prisma.sql`AND digest = ANY(${digests})`;
    return this.database.client.$executeRaw`
      WITH doomed AS MATERIALIZED (
        SELECT digest, val_text, val_blob FROM object_versions
        WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND deleted_at IS NOT NULL ${which}
        FOR UPDATE),
      erased (text, blob) AS (SELECT val_text, val_blob FROM doomed),
      marks AS (${markErased(projectRowId)})
      DELETE FROM object_versions v USING doomed
      WHERE v.project_id = ${projectRowId}::uuid AND v.object_id = ${objectId} AND v.digest = doomed.digest`;
  }
}
