import {
  asOrder,
  FEEDBACK_FIELDS,
  FEEDBACK_NAMES,
  feedbackField,
  type Operand,
  parseFieldPath,
  valueAt,
} from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import {
  type FeedbackQueryDto,
  type JsonValue,
  parseJson,
  RawJson,
  setKey,
  type SortCriterionDto,
  stringifyJson,
  withScheme,
} from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type CursorPage, nextCursor } from '../../cursors/cursors.js';
import {
  isAfter,
  keysetColumns,
  type KeysetKey,
  type KeysetValues,
  keysetValues,
  toKeysetKey,
} from '../../cursors/keyset.sql.js';
import type { JsonListOptions } from '../../streams/json-list.js';
import type { RowSource } from '../../streams/row-stream.js';
import { type RowsAnswer, rowsAnswer } from '../../streams/rows-answer.js';

export type FeedbackRow = Record<string, unknown> & { payload_text?: string | null; payload_blob?: string | null };

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
    { page, asLines }: { page: CursorPage | undefined; asLines: boolean },
  ): Promise<RowsAnswer> {
    const names = query.fields?.length ? query.fields : FEEDBACK_NAMES;
    const source = toSource(projectRowId, query, condition);
    const counted = isCountAsked(query) && !asLines ? await this.count(source) : null;
    const keys = toKeys(query.sort_by);
    let last: KeysetValues = [];
    const totalOfPage = (rows: number) => (page ? null : totalOf(query, rows));
    const list: JsonListOptions<FeedbackRow> = {
      query: pageQuery(source, query, names, page),
      limit: page ? page.limit + 1 : (query.limit ?? undefined),
      writtenRows: page?.limit,
      head: '{"result":[',
      tail: (rows) => `],"total_count":${counted ?? totalOfPage(rows)}${nextCursor(page, rows, last)}}`,
      toText: async (row) => {
        if (page) last = keysetValues(row, keys);
        return stringifyJson(await this.toRecord(projectRowId, names, row, refScheme));
      },
    };
    return rowsAnswer(this.database, list, asLines);
  }

  /** All fields of the records of a project that meet a condition, oldest first. */
  source(
    projectRowId: string,
    query: Pick<FeedbackQueryDto, 'project_id'>,
    condition: Prisma.Sql,
    refScheme: string,
  ): RowSource<FeedbackRow> {
    const names = FEEDBACK_NAMES;
    return {
      query: pageQuery(toSource(projectRowId, query, condition), query, names),
      limit: undefined,
      toText: async (row) => stringifyJson(await this.toRecord(projectRowId, names, row, refScheme)),
    };
  }

  /** All fields of the feedback on calls of one project, oldest first: call id -> records. */
  async findOfCalls(
    projectRowId: string,
    projectId: string,
    callIds: string[],
    refScheme: string,
  ): Promise<Map<string, RawJson[]>> {
    const prefix = `${projectId}/call/`;
    const names = FEEDBACK_NAMES;
    const refs = callIds.map((id) => prefix + id);
    const source = toSource(projectRowId, { project_id: projectId }, Prisma.sql`f.trace_ref = ANY(${refs})`);
    const rows = await this.database.client.$queryRaw<FeedbackRow[]>(
      pageQuery(source, { project_id: projectId }, names),
    );
    const found = new Map<string, RawJson[]>();
    for (const row of rows) {
      const record = new RawJson(stringifyJson(await this.toRecord(projectRowId, names, row, refScheme)));
      const callId = (row['trace_ref'] as string).slice(prefix.length);
      found.set(callId, [...(found.get(callId) ?? []), record]);
    }
    return found;
  }

  private async count(source: Prisma.Sql): Promise<bigint> {
    const [counted] = await this.database.client.$queryRaw<{ count: bigint }[]>`SELECT count(*) AS count ${source}`;
    return counted?.count ?? 0n;
  }

  /** A record with the named fields, as it is answered. */
  async toRecord(
    projectRowId: string,
    names: readonly string[],
    row: FeedbackRow,
    refScheme: string,
  ): Promise<Record<string, unknown>> {
    const payload = 'payload_text' in row ? await this.payloadText(projectRowId, row) : undefined;
    let parsed: JsonValue | undefined;
    const record: Record<string, unknown> = {};
    for (const name of names) {
      const { column, path } = parseFieldPath(name);
      if (column !== 'payload') setKey(record, name, valueAt(toWire(column, row[column], refScheme), path));
      else if (path.length === 0) setKey(record, name, new RawJson(payload as string));
      else setKey(record, name, valueAt((parsed ??= parseJson(payload as string)), path));
    }
    return record;
  }

  private async payloadText(projectRowId: string, row: FeedbackRow): Promise<string> {
    return (await this.values.get(projectRowId, {
      text: row.payload_text ?? null,
      blob: row.payload_blob ?? null,
    })) as string;
  }
}

function toSource(projectRowId: string, { project_id }: FeedbackQueryDto, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    FROM feedback f, (SELECT ${project_id}::text AS project_id) AS p
    WHERE f.project_id = ${projectRowId}::uuid AND ${condition}`;
}

/** The columns of `feedback f` that the fields need. */
export function selectOf(names: readonly string[]): Prisma.Sql {
  const columns = new Set(names.map((name) => parseFieldPath(name).column));
  return Prisma.join([...columns].map(toSelect));
}

function pageQuery(
  source: Prisma.Sql,
  { sort_by, limit, offset }: FeedbackQueryDto,
  names: readonly string[],
  page?: CursorPage,
): Prisma.Sql {
  if (page) {
    const keys = toKeys(sort_by);
    const after = page.after ? Prisma.sql`AND ${isAfter(keys, page.after)}` : Prisma.empty;
    return Prisma.sql`SELECT ${selectOf(names)}, ${keysetColumns(keys)} ${source} ${after}
      ORDER BY ${toOrder(sort_by)} LIMIT ${page.limit + 1}`;
  }
  return Prisma.sql`SELECT ${selectOf(names)} ${source}
    ORDER BY ${toOrder(sort_by)} LIMIT ${limit ?? null} OFFSET ${offset ?? 0}`;
}

/** Counting reads every record that matches, whatever the page: a page of none asks for nothing but the number. */
const isCountAsked = ({ include_total_count, limit }: FeedbackQueryDto): boolean =>
  include_total_count === true || limit === 0;

/** The number of all records, as far as a page shows it: null when there may be more after it, or none before it. */
function totalOf({ limit, offset }: FeedbackQueryDto, rows: number): number | null {
  const isLastPage = limit === undefined || limit === null || rows < limit;
  const before = offset ?? 0;
  return isLastPage && (rows > 0 || before === 0) ? before + rows : null;
}

function toSelect(column: string): Prisma.Sql {
  if (column === 'payload') return Prisma.sql`f.payload_text, f.payload_blob`;
  return Prisma.sql`${(FEEDBACK_FIELDS[column] as { column: Prisma.Sql }).column} AS ${Prisma.raw(column)}`;
}

const toWire = (column: string, value: unknown, refScheme: string): unknown =>
  FEEDBACK_FIELDS[column]?.kind === 'ref' ? withScheme(value as string | null, refScheme) : value;

type Sort = SortCriterionDto[] | null | undefined;

const sortOf = (sortBy: Sort) => (sortBy?.length ? sortBy : [{ field: 'created_at', direction: 'asc' as const }]);

function toOrder(sortBy: Sort): Prisma.Sql {
  const keys = sortOf(sortBy).map(({ field, direction }) => asOrder(feedbackField(field) as Operand, direction));
  return Prisma.join([...keys, Prisma.sql`f.id ASC`]);
}

const toKeys = (sortBy: Sort): KeysetKey[] =>
  [...sortOf(sortBy), { field: 'id', direction: 'asc' as const }].map(({ field, direction }) =>
    toKeysetKey(feedbackField(field) as Operand, direction),
  );
