import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CHUNK_TEXT, DIGEST_IN_TEXT } from './digest-texts.sql.js';

/** Digests that are looked for together. */
const BATCH_DIGESTS = 1_000;

/** A table whose rows name digests: as keys of large values, and in texts. */
interface Holder {
  table: string;
  /** Its key behind the project. */
  key: readonly { column: string; type: 'text' | 'int' }[];
  texts: readonly string[];
  blobs: readonly string[];
  pageRows: number;
}

const id = { column: 'id', type: 'text' } as const;
const digest = { column: 'digest', type: 'text' } as const;

const HOLDERS: readonly Holder[] = [
  {
    ...{ table: 'call_values', key: [id], pageRows: 2_000 },
    texts: ['attributes_text', 'inputs_text', 'output_text', 'summary_text'],
    blobs: ['attributes_blob', 'inputs_blob', 'output_blob', 'summary_blob'],
  },
  { table: 'feedback', key: [id], texts: ['payload_text'], blobs: ['payload_blob'], pageRows: 2_000 },
  {
    ...{ table: 'feedback_revisions', key: [id, { column: 'revision', type: 'int' }], pageRows: 2_000 },
    texts: ["record->>'payload_text'"],
    blobs: ["record->>'payload_blob'"],
  },
  {
    ...{ table: 'object_versions', key: [{ column: 'object_id', type: 'text' }, digest], pageRows: 1_000 },
    texts: ['val_text'],
    blobs: ['val_blob'],
  },
  { table: 'table_rows', key: [digest], texts: ['val_text'], blobs: ['val_blob'], pageRows: 2_000 },
];

/** Chunks of large values: they have texts alone. Those of files are bytes of any kind. */
const CHUNK_PAGE_ROWS = 32;

/**
 * Removes chunks and files that erased values named, once nothing names them any more. Equal content is stored once, so
 * another value may name them still; only reading the project's values shows it.
 */
@Injectable()
export class ErasedDigestsRepository {
  constructor(private readonly database: Database) {}

  /** Marks digests that an erased value named, in the ambient transaction. */
  async mark(projectRowId: string, digests: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO erased_digests (project_id, digest)
      SELECT ${projectRowId}::uuid, unnest(${[...digests]}::text[]) ON CONFLICT DO NOTHING`;
  }

  /**
   * Removes a batch of what is marked. A write that stores the content again takes the mark away, so nothing that is
   * stored meanwhile is lost. Marks wait until every transaction that began before them is over: one of these may name
   * the content without being visible yet.
   *
   * @returns how many marks it dealt with; 0: nothing is left to do now
   */
  async collectBatch(): Promise<number> {
    const rows = await this.database.client.$queryRaw<{ projectId: string; digest: string; isFile: boolean }[]>`
      SELECT e.project_id AS "projectId", e.digest, EXISTS (
        SELECT FROM files f WHERE f.project_id = e.project_id AND f.digest = e.digest) AS "isFile"
      FROM erased_digests e WHERE e.marked_by < pg_snapshot_xmin(pg_current_snapshot())
        OR e.marked_by >= pg_snapshot_xmax(pg_current_snapshot()) -- of a server that this database was restored from
      ORDER BY e.project_id, e.digest LIMIT ${BATCH_DIGESTS}`;
    for (const projectId of new Set(rows.map((row) => row.projectId))) {
      const marked = rows.filter((row) => row.projectId === projectId);
      const files = marked.filter(({ isFile }) => isFile);
      const left = await this.unnamed(
        projectId,
        marked.map((row) => row.digest),
        new Set(files.map((row) => row.digest)),
      );
      await this.remove(
        projectId,
        marked.map((row) => row.digest),
        [...left],
      );
    }
    return rows.length;
  }

  /** Those of the digests that no value of the project names. @param files those that texts may name */
  private async unnamed(projectId: string, digests: string[], files: ReadonlySet<string>): Promise<Set<string>> {
    const left = new Set(digests);
    for (const holder of HOLDERS) await this.dropNamed(projectId, left, files, holder);
    await this.dropNamedInChunks(projectId, left, files);
    return left;
  }

  private async dropNamed(
    projectId: string,
    left: Set<string>,
    files: ReadonlySet<string>,
    holder: Holder,
  ): Promise<void> {
    const columns = Prisma.raw(holder.key.map(({ column }) => column).join(', '));
    const blobs = Prisma.raw(`ARRAY[${holder.blobs.join(', ')}]`);
    const texts = Prisma.raw(`concat_ws(' ', ${holder.texts.join(', ')})`);
    let after: Prisma.Sql = Prisma.empty;
    while (left.size > 0) {
      const named = [...left].filter((one) => files.has(one));
      const inTexts = Prisma.sql`
        SELECT found[1] AS digest FROM page, regexp_matches(texts, ${DIGEST_IN_TEXT}, 'g') AS found
        WHERE found[1] = ANY(${named})`;
      const rows = await this.database.client.$queryRaw<Page[]>`
        WITH page AS MATERIALIZED (
          SELECT ${columns}, ${blobs} AS blobs, ${named.length > 0 ? texts : Prisma.sql`''`} AS texts
          FROM ${Prisma.raw(holder.table)} WHERE project_id = ${projectId}::uuid ${after}
          ORDER BY ${columns} LIMIT ${holder.pageRows})
        SELECT (SELECT json_agg(l) FROM (SELECT ${columns} FROM page ORDER BY ${columns} OFFSET ${holder.pageRows - 1}) l) AS last,
          ARRAY(
            SELECT blob FROM page, unnest(blobs) AS blob WHERE blob = ANY(${[...left]})
            UNION ${inTexts}) AS digests`;
      const page = rows[0] as Page;
      for (const one of page.digests) left.delete(one);
      if (page.last === null) return;
      after = afterKey(holder, page.last[0] as Record<string, string | number>);
    }
  }

  private async dropNamedInChunks(projectId: string, left: Set<string>, files: ReadonlySet<string>): Promise<void> {
    let after = { key: '', no: -1 };
    for (;;) {
      const named = [...left].filter((one) => files.has(one));
      if (named.length === 0) return;
      const rows = await this.database.client.$queryRaw<{ key: string; no: number; digests: string[] }[]>`
        SELECT c.blob_key AS key, c.chunk_no AS no, ARRAY(
          SELECT found[1] FROM regexp_matches(${Prisma.raw(CHUNK_TEXT)}, ${DIGEST_IN_TEXT}, 'g') AS found
          WHERE found[1] = ANY(${named})) AS digests
        FROM blob_chunks c LEFT JOIN blob_chunks n
          ON n.project_id = c.project_id AND n.blob_key = c.blob_key AND n.chunk_no = c.chunk_no + 1
        WHERE c.project_id = ${projectId}::uuid AND (c.blob_key, c.chunk_no) > (${after.key}, ${after.no}::int)
          AND c.blob_key <> ALL(${[...left]})
          AND NOT EXISTS (SELECT FROM files f WHERE f.project_id = c.project_id AND f.digest = c.blob_key)
        ORDER BY c.blob_key, c.chunk_no LIMIT ${CHUNK_PAGE_ROWS}`;
      for (const { digests } of rows) for (const one of digests) left.delete(one);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  /** Takes the marks away, and with those that still are there the content that nothing names. */
  private async remove(projectId: string, digests: string[], unnamed: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      WITH marks AS (
        DELETE FROM erased_digests WHERE project_id = ${projectId}::uuid AND digest = ANY(${digests}) RETURNING digest),
      gone AS (SELECT digest FROM marks WHERE digest = ANY(${unnamed})),
      gone_files AS (
        DELETE FROM files f USING gone WHERE f.project_id = ${projectId}::uuid AND f.digest = gone.digest)
      DELETE FROM blob_chunks c USING gone WHERE c.project_id = ${projectId}::uuid AND c.blob_key = gone.digest`;
  }
}

interface Page {
  /** The key of the last row of a full page; null: the table is read. */
  last: Record<string, string | number>[] | null;
  digests: string[];
}

function afterKey({ key }: Holder, last: Record<string, string | number>): Prisma.Sql {
  const columns = Prisma.raw(key.map(({ column }) => column).join(', '));
  const values = key.map(({ column, type }) => Prisma.sql`${last[column]}${Prisma.raw(`::${type}`)}`);
  return Prisma.sql`AND (${columns}) > (${Prisma.join(values, ', ')})`;
}
