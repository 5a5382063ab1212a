import type { Readable } from 'node:stream';

import { asOrder, parseFieldPath } from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import { RawJson, stringifyJson, type TableQueryDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { jsonLines } from '../streams/json-lines.js';
import { jsonList } from '../streams/json-list.js';
import type { RowSource } from '../streams/row-stream.js';
import { CHUNK_ROWS } from './row-list.js';

interface TableRow {
  digest: string;
  text: string | null;
  blob: string | null;
  originalIndex: bigint;
}

/** Rows of a table in its order, or sorted. */
@Injectable()
export class TableQueryRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** The whole answer: an object with the list of rows. */
  query(projectRowId: string, query: TableQueryDto): Promise<RawJson | Readable> {
    return jsonList(this.database, { ...this.rows(projectRowId, query), head: '{"rows":[', tail: () => ']}' });
  }

  /** The whole answer: a row on each line. */
  stream(projectRowId: string, query: TableQueryDto): Promise<RawJson | Readable> {
    return jsonLines(this.database, this.rows(projectRowId, query));
  }

  private rows(projectRowId: string, query: TableQueryDto): RowSource<TableRow> {
    return {
      query: query.sort_by?.length ? sortedRows(projectRowId, query) : rowsInOrder(projectRowId, query),
      limit: query.limit ?? undefined,
      toText: async ({ digest, originalIndex, ...val }) => {
        const text = (await this.values.get(projectRowId, val)) ?? ERASED;
        return stringifyJson({ digest, val: new RawJson(text), original_index: Number(originalIndex) });
      },
    };
  }
}

/** What a row reads as whose value was erased. */
const ERASED = '{}';

const ROW_COLUMNS = Prisma.sql`p.digest, r.val_text AS text, r.val_blob AS blob, p.position AS "originalIndex"`;

/** Digests with their positions. @param range of chunks, and of positions in them */
function positions(projectRowId: string, { digest, filter }: TableQueryDto, range = Prisma.empty): Prisma.Sql {
  const wanted = filter?.row_digests?.length ? Prisma.sql`AND u.digest = ANY(${filter.row_digests})` : Prisma.empty;
  return Prisma.sql`
    SELECT u.digest, c.chunk_no::bigint * ${CHUNK_ROWS} + u.at - 1 AS position
    FROM table_chunks c CROSS JOIN LATERAL unnest(c.row_digests) WITH ORDINALITY AS u (digest, at)
    WHERE c.project_id = ${projectRowId}::uuid AND c.digest = ${digest} ${range} ${wanted}`;
}

/**
 * Digests are sorted, and each is looked up then: values are not moved by the sort. Without a filter a page reads the
 * chunks that it is in.
 */
function rowsInOrder(projectRowId: string, query: TableQueryDto): Prisma.Sql {
  const limit = query.limit ?? null;
  const offset = query.offset ?? 0;
  const hasFilter = (query.filter?.row_digests?.length ?? 0) > 0;
  const from = Prisma.sql`AND c.chunk_no >= ${Math.floor(offset / CHUNK_ROWS)}`;
  const to = limit === null ? Prisma.empty : Prisma.sql`AND c.chunk_no <= ${Math.floor((offset + limit) / CHUNK_ROWS)}`;
  const skipped = hasFilter ? offset : offset % CHUNK_ROWS;
  const range = hasFilter ? Prisma.empty : Prisma.sql`${from} ${to}`;
  return Prisma.sql`
    SELECT ${ROW_COLUMNS} FROM (
      ${positions(projectRowId, query, range)} ORDER BY position LIMIT ${limit} OFFSET ${skipped}
    ) p LEFT JOIN LATERAL (
      SELECT * FROM table_rows t WHERE t.project_id = ${projectRowId}::uuid AND t.digest = p.digest LIMIT 1
    ) r ON true ORDER BY p.position`;
}

function sortedRows(projectRowId: string, query: TableQueryDto): Prisma.Sql {
  const keys = (query.sort_by ?? []).map(({ field, direction }) => {
    const { column, path } = parseFieldPath(field);
    const json = Prisma.sql`(coalesce(r.val_json, r.val_text::jsonb) #> ${[column, ...path]}::text[])`;
    return asOrder({ kind: 'json', sql: json }, direction);
  });
  return Prisma.sql`
    SELECT ${ROW_COLUMNS} FROM (${positions(projectRowId, query)}) p
    LEFT JOIN table_rows r ON r.project_id = ${projectRowId}::uuid AND r.digest = p.digest
    ORDER BY ${Prisma.join([...keys, Prisma.sql`p.position`])}
    LIMIT ${query.limit ?? null} OFFSET ${query.offset ?? 0}`;
}
