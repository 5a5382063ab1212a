import { markErased } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Erases tables and rows for good, in the ambient transaction. Chunks and files that rows name are marked. */
@Injectable()
export class TableErasureRepository {
  constructor(private readonly database: Database) {}

  /** Waits until nobody stores a table in the project, and keeps others from it until the transaction ends. */
  async lockTables(projectRowId: string): Promise<void> {
    await this.database.client.$queryRaw`SELECT pg_advisory_xact_lock(${TABLES_LOCK(projectRowId)})::text`;
  }

  /** Name of a live object version that names the table; null: none does. */
  async findUser(projectRowId: string, digest: string): Promise<string | null> {
    const rows = await this.database.client.$queryRaw<{ objectId: string }[]>`
      SELECT object_id AS "objectId" FROM object_versions
      WHERE project_id = ${projectRowId}::uuid AND deleted_at IS NULL AND strpos(val_text, ${`/table/${digest}`}) > 0 LIMIT 1`;
    return rows[0]?.objectId ?? null;
  }

  /** Erases a table, and its rows that are in no other one. Needs {@link lockTables}. @returns how many rows; null: no table */
  async eraseTable(projectRowId: string, digest: string): Promise<number | null> {
    const { client } = this.database;
    const which = Prisma.sql`project_id = ${projectRowId}::uuid AND digest = ${digest}`;
    const rows = await client.$queryRaw<{ digest: string }[]>`
      SELECT DISTINCT unnest(row_digests) AS digest FROM table_chunks WHERE ${which}
      EXCEPT
      SELECT unnest(row_digests) FROM table_chunks WHERE project_id = ${projectRowId}::uuid AND digest <> ${digest}`;
    await client.$executeRaw`DELETE FROM table_chunks WHERE ${which}`;
    if ((await client.$executeRaw`DELETE FROM table_versions WHERE ${which}`) === 0) return null;
    return this.eraseRows(
      projectRowId,
      rows.map((row) => row.digest),
    );
  }

  /** Erases rows, of whatever tables. @returns how many there were */
  async eraseRows(projectRowId: string, digests: string[]): Promise<number> {
    return this.database.client.$executeRaw`
      WITH doomed AS MATERIALIZED (
        SELECT digest, val_text, val_blob FROM table_rows WHERE project_id = ${projectRowId}::uuid AND digest = ANY(${digests})),
      erased (text, blob) AS (SELECT val_text, val_blob FROM doomed),
      marks AS (${markErased(projectRowId)})
      DELETE FROM table_rows r USING doomed WHERE r.project_id = ${projectRowId}::uuid AND r.digest = doomed.digest`;
  }
}

/** Held alone by an erasure, and together by all who store tables in the project. */
export const TABLES_LOCK = (projectRowId: string): Prisma.Sql =>
  Prisma.sql`hashtextextended(${`tables ${projectRowId}`}, 0)`;
