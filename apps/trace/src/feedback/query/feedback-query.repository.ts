import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import {
  type FeedbackQueryDto,
  isJsonObject,
  type JsonValue,
  parseJson,
  RawJson,
  setKey,
  type SortCriterionDto,
  stringifyJson,
  withScheme,
} from '@hone/contracts';
import { Database, Prisma } from '@hone/database';

import { parseFieldPath } from '../../query-expressions/field-path.js';
import { asSortKey, type Operand } from '../../query-expressions/operand.js';
import { jsonList } from '../../streams/json-list.js';
import { ValueRepository } from '../../values/value.repository.js';
import { FEEDBACK_FIELDS, feedbackField } from './feedback-fields.js';

type FeedbackRow = Record<string, unknown> & { payload_text?: string | null; payload_blob?: string | null };

/** The condition that every record meets. */
export const ALL_RECORDS = Prisma.sql`true`;

/** `/feedback/query`: records of a project that meet a condition. */
@Injectable()
export class FeedbackQueryRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** The whole answer. The payload is read only when it, or a path into it, is asked for. */
  async query(
    projectRowId: string,
    query: FeedbackQueryDto,
    condition: Prisma.Sql,
    refScheme: string,
  ): Promise<RawJson | Readable> {
    const source = Prisma.sql`
      FROM feedback f, (SELECT ${query.project_id}::text AS project_id) AS p
      WHERE f.project_id = ${projectRowId}::uuid AND ${condition}`;
    const [counted] = await this.database.client.$queryRaw<{ count: bigint }[]>`SELECT count(*) AS count ${source}`;
    const names = query.fields?.length ? query.fields : Object.keys(FEEDBACK_FIELDS);
    const columns = new Set(names.map((name) => parseFieldPath(name).column));
    return jsonList<FeedbackRow>(this.database, {
      query: Prisma.sql`SELECT ${Prisma.join([...columns].map(toSelect))} ${source}
        ORDER BY ${toOrder(query.sort_by)} LIMIT ${query.limit ?? null} OFFSET ${query.offset ?? 0}`,
      limit: query.limit ?? undefined,
      head: '{"result":[',
      tail: `],"total_count":${counted?.count ?? 0}}`,
      toText: async (row) => stringifyJson(await this.#toRecord(projectRowId, names, row, refScheme)),
    });
  }

  async #toRecord(
    projectRowId: string,
    names: string[],
    row: FeedbackRow,
    refScheme: string,
  ): Promise<Record<string, unknown>> {
    const payload = 'payload_text' in row ? await this.#payloadText(projectRowId, row) : undefined;
    let parsed: JsonValue | undefined;
    const record: Record<string, unknown> = {};
    for (const name of names) {
      const { column, path } = parseFieldPath(name);
      if (column !== 'payload') setKey(record, name, at(toWire(column, row[column], refScheme), path));
      else if (path.length === 0) setKey(record, name, new RawJson(payload as string));
      else setKey(record, name, at((parsed ??= parseJson(payload as string)), path));
    }
    return record;
  }

  async #payloadText(projectRowId: string, row: FeedbackRow): Promise<string> {
    return (await this.values.get(projectRowId, {
      text: row.payload_text ?? null,
      blob: row.payload_blob ?? null,
    })) as string;
  }
}

function toSelect(column: string): Prisma.Sql {
  if (column === 'payload') return Prisma.sql`f.payload_text, f.payload_blob`;
  return Prisma.sql`${(FEEDBACK_FIELDS[column] as { column: Prisma.Sql }).column} AS ${Prisma.raw(column)}`;
}

const toWire = (column: string, value: unknown, refScheme: string): unknown =>
  FEEDBACK_FIELDS[column]?.kind === 'ref' ? withScheme(value as string | null, refScheme) : value;

/** What a path leads to; null when it leads nowhere. A number in a path is an index where there is a list. */
function at(value: unknown, path: string[]): unknown {
  let current = value;
  for (const part of path) {
    if (Array.isArray(current)) current = /^-?\d+$/.test(part) ? current.at(Number(part)) : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, part) ? current[part] : undefined;
  }
  return current ?? null;
}

function toOrder(sortBy: SortCriterionDto[] | null | undefined): Prisma.Sql {
  const sort = sortBy?.length ? sortBy : [{ field: 'created_at', direction: 'asc' as const }];
  const keys = sort.map(({ field, direction }) => {
    const key = asSortKey(feedbackField(field) as Operand);
    return direction === 'desc' ? Prisma.sql`${key} DESC NULLS LAST` : Prisma.sql`${key} ASC`;
  });
  return Prisma.join([...keys, Prisma.sql`f.id ASC`]);
}
