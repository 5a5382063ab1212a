import { ValueRepository } from '@hone/calls';
import { byCodePoint } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { TABLES_LOCK } from './table-erasure.repository.js';

/** A row on its way into the database. */
export interface RowDraft {
  digest: string;
  /** Exact compact text. */
  text: string;
  /** The text that jsonb takes, where it refuses the exact one; else null. */
  searchable: string | null;
  /** Bytes of the canonical text. */
  sizeBytes: number;
}

/** Most rows, and about the most bytes, that one statement stores. */
const STATEMENT_ROWS = 1_000;
const STATEMENT_BYTES = 4 * 1_048_576;
/** Chunks that one statement stores or reads. */
const STATEMENT_CHUNKS = 20;
const MAX_UNKNOWN = 100;

/** Tables: rows by their content, and lists of row digests by the digest of the list. Both never change. */
@Injectable()
export class TableRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /**
   * Stores rows, equal ones once. By digest, so that two calls with the same rows never deadlock.
   *
   * @param left between two statements it ends with an `AbortError`
   */
  async putRows(projectRowId: string, drafts: RowDraft[], left: AbortSignal): Promise<void> {
    await this.lockTables(projectRowId);
    const unique = new Map(drafts.map((draft) => [draft.digest, draft]));
    const sorted = [...unique.values()].sort((a, b) => byCodePoint(a.digest, b.digest));
    let rows: string[] = [];
    let bytes = 0;
    for (const [index, draft] of sorted.entries()) {
      const row = await this.toJsonRow(projectRowId, draft);
      rows.push(row);
      bytes += row.length;
      if (rows.length < STATEMENT_ROWS && bytes < STATEMENT_BYTES && index < sorted.length - 1) continue;
      left.throwIfAborted();
      await this.database.executeBulk(Prisma.sql`
        INSERT INTO table_rows (project_id, digest, val_text, val_blob, val_json, size_bytes)
        SELECT ${projectRowId}::uuid, d, t, b, s::jsonb, n
        FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (d text, t text, b text, s json, n bigint)
        ON CONFLICT DO NOTHING`);
      rows = [];
      bytes = 0;
    }
  }

  private async toJsonRow(projectRowId: string, { digest, text, searchable, sizeBytes }: RowDraft): Promise<string> {
    const stored = await this.values.put(projectRowId, text);
    const value = stored.blob === null ? `"t":${JSON.stringify(text)}` : `"b":"${stored.blob}"`;
    const copy = searchable === null ? '' : `,"s":${searchable}`;
    return `{"d":"${digest}",${value}${copy},"n":${sizeBytes}}`;
  }

  /** Keeps erasures of tables from the project until the transaction ends. Before rows are looked for or stored. */
  async lockTables(projectRowId: string): Promise<void> {
    await this.database.client.$queryRaw`SELECT pg_advisory_xact_lock_shared(${TABLES_LOCK(projectRowId)})::text`;
  }

  /** Stores the list of rows; one of the same digest is the same list. */
  async putTable(projectRowId: string, digest: string, rowCount: number, chunks: Iterable<string[]>): Promise<void> {
    const isNew = await this.database.client.$executeRaw`
      INSERT INTO table_versions (project_id, digest, row_count, created_at)
      VALUES (${projectRowId}::uuid, ${digest}, ${rowCount}, now()) ON CONFLICT DO NOTHING`;
    if (!isNew) return;
    let rows: string[] = [];
    let chunkNo = 0;
    for (const chunk of chunks) {
      rows.push(JSON.stringify({ n: chunkNo++, r: chunk }));
      if (rows.length < STATEMENT_CHUNKS) continue;
      await this.putChunks(projectRowId, digest, rows);
      rows = [];
    }
    if (rows.length > 0) await this.putChunks(projectRowId, digest, rows);
  }

  private async putChunks(projectRowId: string, digest: string, rows: string[]): Promise<void> {
    await this.database.executeBulk(Prisma.sql`
      INSERT INTO table_chunks (project_id, digest, chunk_no, row_digests)
      SELECT ${projectRowId}::uuid, ${digest}, n, r
      FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS row (n integer, r text[])`);
  }

  /** How many rows a table has; null when there is no such table. */
  async count(projectRowId: string, digest: string): Promise<number | null> {
    const [row] = await this.database.client.$queryRaw<{ count: number }[]>`
      SELECT row_count AS count FROM table_versions WHERE project_id = ${projectRowId}::uuid AND digest = ${digest}`;
    return row?.count ?? null;
  }

  /** The row digests of a table, chunk by chunk. */
  async readChunks(projectRowId: string, digest: string): Promise<string[][]> {
    const chunks: string[][] = [];
    for (;;) {
      const from = chunks.length;
      const rows = await this.database.client.$queryRaw<{ digests: string[] }[]>`
        SELECT row_digests AS digests FROM table_chunks
        WHERE project_id = ${projectRowId}::uuid AND digest = ${digest}
          AND chunk_no >= ${from} AND chunk_no < ${from + STATEMENT_CHUNKS} ORDER BY chunk_no`;
      chunks.push(...rows.map(({ digests }) => digests));
      if (rows.length < STATEMENT_CHUNKS) return chunks;
    }
  }

  /** Positions of digests of which the project has no row, the first hundred. */
  async findUnknownRows(projectRowId: string, digests: string[]): Promise<number[]> {
    const rows = await this.database.client.$queryRaw<{ position: bigint }[]>`
      SELECT sent.position - 1 AS position FROM unnest(${digests}::text[]) WITH ORDINALITY AS sent (digest, position)
      WHERE NOT EXISTS (
        SELECT 1 FROM table_rows r WHERE r.project_id = ${projectRowId}::uuid AND r.digest = sent.digest)
      ORDER BY sent.position LIMIT ${MAX_UNKNOWN}`;
    return rows.map(({ position }) => Number(position));
  }

  /** The exact text of a row; null when there is none. */
  async findRow(projectRowId: string, digest: string): Promise<string | null> {
    const [row] = await this.database.client.$queryRaw<{ text: string | null; blob: string | null }[]>`
      SELECT val_text AS text, val_blob AS blob FROM table_rows
      WHERE project_id = ${projectRowId}::uuid AND digest = ${digest}`;
    return row ? this.values.get(projectRowId, row) : null;
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
