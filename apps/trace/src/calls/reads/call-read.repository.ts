import { Readable } from 'node:stream';

import {
  asOrder,
  callField,
  type CallSelection,
  fromSelection,
  isAmongValues,
  type Operand,
  type ValueColumn,
} from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import { type CallSortDto, type CallsQueryDto, RawJson } from '@hone/contracts';
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
import { jsonLines } from '../../streams/json-lines.js';
import type { JsonListOptions } from '../../streams/json-list.js';
import type { RowSource } from '../../streams/row-stream.js';
import { type RowsAnswer, rowsAnswer } from '../../streams/rows-answer.js';
import { CALL_COLUMNS, columnsOf, valuesOf, withValues } from './call-columns.sql.js';
import { type CallRow, storedValue } from './call-row.js';
import { type CallExtras, type CallForm, callParts, type CallTexts, writeCall } from './call-writer.js';

/** Rows without values are small, and each batch is a round trip. */
const NARROW_BATCH_ROWS = 1_000;

/** A call with exact texts of some of its values. */
export interface ReadCall {
  row: CallRow;
  texts: CallTexts;
}

/** Reads of calls. Each call is one row of one statement: halves that are being written are seen whole or not at all. */
@Injectable()
export class CallReadRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** @param lookUp what the rows of a batch share, before each of them is written */
  stream(
    selection: CallSelection,
    query: Pick<CallsQueryDto, 'sort_by' | 'limit' | 'offset'>,
    form: CallForm,
    lookUp: (rows: CallRow[]) => Promise<CallExtras>,
  ): Promise<RawJson | Readable> {
    return jsonLines<CallRow>(this.database, this.source(selection, query, form, lookUp));
  }

  /** A page of the calls, or all of them, as one JSON object. @param lookUp what the rows of a batch share */
  page(
    selection: CallSelection,
    query: Pick<CallsQueryDto, 'sort_by' | 'limit' | 'offset'>,
    form: CallForm,
    lookUp: (rows: CallRow[]) => Promise<CallExtras>,
    { page, asLines }: { page: CursorPage | undefined; asLines: boolean },
  ): Promise<RowsAnswer> {
    const keys = toKeys(query.sort_by);
    let last: KeysetValues = [];
    const rows = this.source(selection, query, form, lookUp, page);
    const list: JsonListOptions<CallRow> = {
      ...rows,
      writtenRows: page?.limit,
      head: '{"calls":[',
      tail: (count) => `]${nextCursor(page, count, last)}}`,
      toText: (row) => {
        if (page) last = keysetValues(row, keys);
        return rows.toText(row);
      },
    };
    return rowsAnswer(this.database, list, asLines);
  }

  /** What {@link stream} is made of. */
  source(
    selection: CallSelection,
    query: Pick<CallsQueryDto, 'sort_by' | 'limit' | 'offset'>,
    form: CallForm,
    lookUp: (rows: CallRow[]) => Promise<CallExtras>,
    page?: CursorPage,
  ): RowSource<CallRow> {
    const columns = valuesOf(form.fields);
    let extras: CallExtras = {};
    return {
      query: withValues(pageQuery(selection, query, columnsOf(form), page), columns),
      limit: page ? page.limit + 1 : (query.limit ?? undefined),
      ...(columns.length === 0 && { batchRows: NARROW_BATCH_ROWS, readsAhead: true }),
      prepare: async (rows) => {
        extras = await lookUp(rows);
      },
      toText: (row) =>
        this.withTexts(selection.projectRowId, row, columns, (texts) => writeCall(row, texts, form, extras)),
    };
  }

  /** The same, each as a line that the caller writes. @param columns values that it needs */
  lines(
    selection: CallSelection,
    query: Pick<CallsQueryDto, 'limit' | 'offset'>,
    columns: ValueColumn[],
    toLine: (row: CallRow, texts: CallTexts) => string,
  ): Promise<RawJson | Readable> {
    return jsonLines(this.database, this.lineSource(selection, query, columns, toLine));
  }

  /** What {@link lines} is made of. @param toLine null: the call is left out */
  lineSource(
    selection: CallSelection,
    query: Pick<CallsQueryDto, 'limit' | 'offset'>,
    columns: ValueColumn[],
    toLine: (row: CallRow, texts: CallTexts) => string | null,
  ): RowSource<CallRow> {
    return {
      query: withValues(pageQuery(selection, query, CALL_COLUMNS), columns),
      limit: query.limit ?? undefined,
      toText: (row) => this.withTexts(selection.projectRowId, row, columns, (texts) => toLine(row, texts)),
    };
  }

  /** The first call that matches, with exact texts of some of its values; undefined: there is none. */
  async findFirst(selection: CallSelection, columns: ValueColumn[]): Promise<ReadCall | undefined> {
    return (await this.listAll(selection, columns, 1))[0];
  }

  /** The calls that match, oldest first. @param limit undefined: all */
  async listAll(selection: CallSelection, columns: ValueColumn[], limit?: number): Promise<ReadCall[]> {
    const query = withValues(pageQuery(selection, { limit }, CALL_COLUMNS), columns);
    const rows = await this.database.client.$queryRaw<CallRow[]>(query);
    const calls: ReadCall[] = [];
    for (const row of rows)
      calls.push({ row, texts: await this.withTexts(selection.projectRowId, row, columns, (texts) => texts) });
    return calls;
  }

  /** Ids of the calls that match, at most `limit`. */
  async listIds(selection: CallSelection, limit: number): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT c.id ${fromSelection(selection)} LIMIT ${limit}`;
    return rows.map(({ id }) => id);
  }

  /**
   * The first call that matches with all its values, within one JSON object. What is in chunks is read while the client
   * takes what comes before; an error then breaks the connection.
   */
  async readFirst(selection: CallSelection, form: CallForm): Promise<RawJson | Readable> {
    const columns = valuesOf(form.fields);
    const query = withValues(pageQuery(selection, { limit: 1 }, columnsOf(form)), columns);
    const [row] = await this.database.client.$queryRaw<CallRow[]>(query);
    if (!row) return new RawJson('{"call":null}');
    const { projectRowId } = selection;
    // The summary is written anew, with what is computed.
    const late = columns.filter((column) => column !== 'summary' && storedValue(row, column).blob !== null);
    const now = columns.filter((column) => !late.includes(column));
    return this.withTexts(projectRowId, row, now, (texts) => {
      if (late.length === 0) return new RawJson(`{"call":${writeCall(row, texts, form, {})}}`);
      const partsOf = (column: ValueColumn) => () =>
        this.values.textOf(projectRowId, storedValue(row, column).blob as string);
      const parts = callParts(row, texts, form, new Map(late.map((column) => [column, partsOf(column)])));
      return Readable.from(bytesOf('{"call":', parts, '}'), { objectMode: false });
    });
  }

  /** How many calls match, at most `limit`. */
  async count(selection: CallSelection, limit: number | null): Promise<number> {
    const rows = await this.database.client.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM (SELECT 1 ${fromSelection(selection)} LIMIT ${limit}) AS found`;
    return Number(rows[0]?.count ?? 0n);
  }

  /** Exact text of one value of a call. */
  text(projectRowId: string, row: CallRow, column: ValueColumn): Promise<string | null> {
    return this.values.get(projectRowId, storedValue(row, column));
  }

  /** What `use` makes of the texts of values: a promise only where one of them is in chunks, which few are. */
  private withTexts<T>(
    projectRowId: string,
    row: CallRow,
    columns: ValueColumn[],
    use: (texts: CallTexts) => T,
  ): T | Promise<T> {
    if (columns.length === 0) return use({});
    const texts: CallTexts = {};
    const inChunks = columns.filter((column) => storedValue(row, column).blob !== null);
    for (const column of columns) texts[column] = storedValue(row, column).text;
    return inChunks.length === 0 ? use(texts) : this.withChunks(projectRowId, row, inChunks, texts).then(use);
  }

  private async withChunks(
    projectRowId: string,
    row: CallRow,
    columns: ValueColumn[],
    texts: CallTexts,
  ): Promise<CallTexts> {
    for (const column of columns) texts[column] = await this.text(projectRowId, row, column);
    return texts;
  }
}

async function* bytesOf(head: string, parts: AsyncIterable<string>, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for await (const part of parts) yield Buffer.from(part);
  yield Buffer.from(tail);
}

function pageQuery(
  selection: CallSelection,
  { sort_by, limit, offset }: Pick<CallsQueryDto, 'sort_by' | 'limit' | 'offset'>,
  columns: Prisma.Sql,
  page?: CursorPage,
): Prisma.Sql {
  const needsValues = selection.needsValues || (sort_by ?? []).some(({ field }) => isAmongValues(field));
  if (page) {
    const keys = toKeys(sort_by);
    const after = page.after ? Prisma.sql`AND ${isAfter(keys, page.after)}` : Prisma.empty;
    return Prisma.sql`SELECT c.project_id, ${columns}, ${keysetColumns(keys)}
      ${fromSelection({ ...selection, needsValues })} ${after} ORDER BY ${toOrder(sort_by)} LIMIT ${page.limit + 1}`;
  }
  return Prisma.sql`SELECT c.project_id, ${columns} ${fromSelection({ ...selection, needsValues })}
    ORDER BY ${toOrder(sort_by)} LIMIT ${limit ?? null} OFFSET ${offset ?? 0}`;
}

type Sort = CallSortDto[] | null | undefined;

const sortOf = (sortBy: Sort) => (sortBy?.length ? sortBy : [{ field: 'started_at', direction: 'asc' as const }]);

function toOrder(sortBy: Sort): Prisma.Sql {
  const keys = sortOf(sortBy).map(({ field, direction }) => asOrder(callField(field) as Operand, direction));
  return Prisma.join([...keys, Prisma.sql`c.id ASC`]);
}

const toKeys = (sortBy: Sort): KeysetKey[] =>
  [...sortOf(sortBy), { field: 'id', direction: 'asc' as const }].map(({ field, direction }) =>
    toKeysetKey(callField(field) as Operand, direction),
  );
