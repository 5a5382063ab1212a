import { ValueRepository } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Chunks that one statement reads. */
const STATEMENT_CHUNKS = 20;

/** Tables of rows, as services read them. They never change. */
@Injectable()
export class StoredTablesRepository {
  constructor(
    protected readonly database: Database,
    protected readonly values: ValueRepository,
  ) {}

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

  /** The exact text of a row; null when there is none. */
  async findRow(projectRowId: string, digest: string): Promise<string | null> {
    const [row] = await this.database.client.$queryRaw<{ text: string | null; blob: string | null }[]>`
      SELECT val_text AS text, val_blob AS blob FROM table_rows
      WHERE project_id = ${projectRowId}::uuid AND digest = ${digest}`;
    return row ? this.values.get(projectRowId, row) : null;
  }
}
