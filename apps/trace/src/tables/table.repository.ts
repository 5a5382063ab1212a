import { ValueRepository } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { StoredTablesRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import type { RowDigests } from './row-digests.js';
import type { RowStatement } from './row-drafts.js';
import { CHUNK_ROWS } from './row-list.js';
import { TABLES_LOCK } from './table-erasure.repository.js';

/** Chunks that one statement stores. */
const STATEMENT_CHUNKS = 20;
const MAX_UNKNOWN = 100;

/** Tables: rows by their content, and lists of row digests by the digest of the list. Both never change. */
@Injectable()
export class TableRepository extends StoredTablesRepository {
  constructor(database: Database, values: ValueRepository) {
    super(database, values);
  }

  /**
   * Stores rows, in the order of the statements.
   *
   * @param left between two statements it ends with an `AbortError`
   */
  async putRows(projectRowId: string, statements: readonly RowStatement[], left: AbortSignal): Promise<void> {
    await this.lockTables(projectRowId);
    for (const { rows, large } of statements) {
      for (const text of large) await this.values.putBytes(projectRowId, Buffer.from(text));
      left.throwIfAborted();
      await this.database.executeBulk(Prisma.sql`
        INSERT INTO table_rows (project_id, digest, val_text, val_blob, val_json, size_bytes)
        SELECT ${projectRowId}::uuid, d, t, b, s::jsonb, n
        FROM json_to_recordset(${rows}::json) AS row (d text, t text, b text, s json, n bigint)
        ON CONFLICT DO NOTHING`);
    }
  }

  /** Keeps erasures of tables from the project until the transaction ends. Before rows are looked for or stored. */
  async lockTables(projectRowId: string): Promise<void> {
    await this.database.client.$queryRaw`SELECT pg_advisory_xact_lock_shared(${TABLES_LOCK(projectRowId)})::text`;
  }

  /** Stores the list of rows; one of the same digest is the same list. */
  async putTable(projectRowId: string, { digest, count, chunks }: RowDigests): Promise<void> {
    const isNew = await this.database.client.$executeRaw`
      INSERT INTO table_versions (project_id, digest, row_count, created_at)
      VALUES (${projectRowId}::uuid, ${digest}, ${count}, now()) ON CONFLICT DO NOTHING`;
    if (!isNew) return;
    for (let at = 0; at < chunks.length; at += STATEMENT_CHUNKS) {
      const rows = chunks.slice(at, at + STATEMENT_CHUNKS).map((chunk, index) => `{"n":${at + index},"r":${chunk}}`);
      await this.database.executeBulk(Prisma.sql`
        INSERT INTO table_chunks (project_id, digest, chunk_no, row_digests)
        SELECT ${projectRowId}::uuid, ${digest}, n, r
        FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (n integer, r text[])`);
    }
  }

  /** Positions of digests of which the project has no row, the first hundred. */
  async findUnknownRows(projectRowId: string, { chunks }: RowDigests): Promise<number[]> {
    const unknown: number[] = [];
    for (let at = 0; at < chunks.length && unknown.length < MAX_UNKNOWN; at++) {
      const rows = await this.database.client.$queryRaw<{ position: bigint }[]>`
        SELECT sent.position - 1 AS position
        FROM json_array_elements_text(${chunks[at]}::json) WITH ORDINALITY AS sent (digest, position)
        WHERE NOT EXISTS (
          SELECT 1 FROM table_rows r WHERE r.project_id = ${projectRowId}::uuid AND r.digest = sent.digest)
        ORDER BY sent.position LIMIT ${MAX_UNKNOWN - unknown.length}`;
      unknown.push(...rows.map(({ position }) => at * CHUNK_ROWS + Number(position)));
    }
    return unknown;
  }

  /** Those of the tables that there are. @param withSizes adds the bytes of their rows */
  listTables(
    projectRowId: string,
    digests: string[],
    withSizes: boolean,
  ): Promise<{ digest: string; count: number; sizeBytes?: bigint }[]> {
    const size = withSizes
      ? Prisma.sql`, (SELECT coalesce(sum(r.size_bytes), 0)::bigint FROM table_rows r WHERE r.project_id = t.project_id
          AND r.digest IN (SELECT unnest(c.row_digests) FROM table_chunks c
            WHERE c.project_id = t.project_id AND c.digest = t.digest)) AS "sizeBytes"`
      : Prisma.empty;
    return this.database.client.$queryRaw`
      SELECT t.digest, t.row_count AS count ${size}
      FROM unnest(${digests}::text[]) WITH ORDINALITY AS sent (digest, position)
      JOIN table_versions t ON t.project_id = ${projectRowId}::uuid AND t.digest = sent.digest
      ORDER BY sent.position`;
  }
}
