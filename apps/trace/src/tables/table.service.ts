import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Principal, ProjectAccess } from '@hone/auth';
import { ValueRepository } from '@hone/calls';
import {
  canonicalText,
  contentDigest,
  type Issue,
  type JsonObject,
  type JsonValue,
  type Loc,
  MAX_ISSUES,
  rangeIssue,
  RawJson,
  searchableText,
  stringifyJson,
  type TableCreateDto,
  type TableCreateResultDto,
  type TableDigestDto,
  type TableFromDigestsDto,
  type TableQueryDto,
  type TableStatsBatchDto,
  type TableStatsBatchResultDto,
  type TableStatsDto,
  type TableStep,
  type TableUpdateDto,
  type TableUpdateResultDto,
  valueIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { internalRefIssues } from '../objects/internal-refs.js';
import { DigestMismatchError } from '../objects/object.errors.js';
import { CHUNK_ROWS, RowList } from './row-list.js';
import { TableNotFoundError } from './table.errors.js';
import { type RowDraft, TableRepository } from './table.repository.js';
import { TableQueryRepository } from './table-query.repository.js';

/** Rows that are handled before others have their turn: a few milliseconds' work. */
const ROWS_AT_ONCE = 1_000;

/** A table on its way into the database. */
export interface TableDraft {
  readonly digest: string;
  readonly rows: RowDraft[];
  readonly list: RowList;
}

/** Tables of rows, which datasets name. A table never changes: an update makes another one. */
@Injectable()
export class TableService {
  constructor(
    private readonly tables: TableRepository,
    private readonly queries: TableQueryRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores a table and its rows.
   *
   * @throws ValidationError a row contains internal refs
   * @throws AccessDeniedError
   * @throws DigestMismatchError the table's digest is not `expected_digest`
   */
  async create(author: Principal, { table }: TableCreateDto, left: AbortSignal): Promise<TableCreateResultDto> {
    const draft = await this.draft(table.rows as JsonObject[], ['body', 'table', 'rows'], left);
    const grant = await this.access.grantWrite(author, 'trace', table.project_id, 'writer');
    assertDigest(draft.digest, table.expected_digest);
    await this.database.transaction(async () => this.put(await this.access.rowIdFor(author, grant), draft, left));
    return { digest: draft.digest, row_digests: draft.rows.map(({ digest }) => digest) };
  }

  /**
   * A table that is not stored yet.
   *
   * @param loc where the request has the rows
   * @param left of the caller
   * @throws ValidationError a row contains internal refs
   * @throws DOMException (`AbortError`) the caller left
   */
  async draft(rows: JsonObject[], loc: Loc, left: AbortSignal): Promise<TableDraft> {
    const drafts = await this.toDrafts(rows, (index) => [...loc, index], left);
    const list = new RowList(chunksOf(drafts.map(({ digest }) => digest)));
    return { digest: digestOf(list), rows: drafts, list };
  }

  /** Stores a table and its rows, in the ambient transaction. @throws DOMException (`AbortError`) the caller left */
  async put(projectRowId: string, { digest, rows, list }: TableDraft, left: AbortSignal): Promise<void> {
    await this.tables.putRows(projectRowId, rows, left);
    await this.tables.putTable(projectRowId, digest, list.length, list.chunks());
  }

  /**
   * Stores a table of rows that the project has.
   *
   * @throws ValidationError it does not have one of them
   * @throws AccessDeniedError, ProjectNotFoundError, DigestMismatchError
   */
  async createFromDigests(author: Principal, body: TableFromDigestsDto): Promise<TableDigestDto> {
    const projectRowId = await this.access.getReadable(author, 'trace', body.project_id, 'writer');
    const list = new RowList(chunksOf(body.row_digests));
    const digest = digestOf(list);
    await this.database.transaction(async () => {
      await this.tables.lockTables(projectRowId);
      await this.assertRows(projectRowId, body.row_digests);
      assertDigest(digest, body.expected_digest);
      await this.tables.putTable(projectRowId, digest, list.length, list.chunks());
    });
    return { digest };
  }

  /** @throws ValidationError the project does not have one of the rows */
  private async assertRows(projectRowId: string, digests: string[]): Promise<void> {
    const unknown = await this.tables.findUnknownRows(projectRowId, digests);
    if (unknown.length === 0) return;
    const issues = unknown.map((index) => valueIssue('The project has no such row', ['body', 'row_digests', index]));
    throw new ValidationError(issues);
  }

  /**
   * Stores a table that is another one with changes.
   *
   * @throws ValidationError a row contains internal refs, or an index is out of range
   * @throws AccessDeniedError, ProjectNotFoundError, TableNotFoundError
   */
  async update(author: Principal, body: TableUpdateDto, left: AbortSignal): Promise<TableUpdateResultDto> {
    const projectRowId = await this.access.getReadable(author, 'trace', body.project_id, 'writer');
    const { base_digest: base, updates } = body;
    if ((await this.tables.count(projectRowId, base)) === null) throw new TableNotFoundError(base, body.project_id);
    const list = new RowList(await this.tables.readChunks(projectRowId, base));
    const drafts: RowDraft[] = [];
    const updated_row_digests: string[] = [];
    for (const [index, step] of updates.entries()) {
      await pauseAt(index, left);
      const [key, change] = Object.entries(step)[0] as [string, { index?: number; row?: JsonObject }];
      const loc = ['body', 'updates', index, key];
      const at = positionOf(step, list, [...loc, 'index']);
      if (change.row === undefined) {
        updated_row_digests.push(list.pop(at));
        continue;
      }
      const [draft] = (await this.toDrafts([change.row], () => [...loc, 'row'], left)) as [RowDraft];
      list.insert(at, draft.digest);
      drafts.push(draft);
      updated_row_digests.push(draft.digest);
    }
    const digest = digestOf(list);
    await this.database.transaction(async () => {
      await this.tables.putRows(projectRowId, drafts, left);
      await this.tables.putTable(projectRowId, digest, list.length, list.chunks());
    });
    return { digest, updated_row_digests };
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, TableNotFoundError */
  async query(caller: Principal, query: TableQueryDto): Promise<RawJson | Readable> {
    const { projectRowId } = await this.find(caller, query.project_id, query.digest);
    return this.queries.query(projectRowId, query);
  }

  /** The rows of {@link query}, one on each line. @throws AccessDeniedError, ProjectNotFoundError, TableNotFoundError */
  async stream(caller: Principal, query: TableQueryDto): Promise<RawJson | Readable> {
    const { projectRowId } = await this.find(caller, query.project_id, query.digest);
    return this.queries.stream(projectRowId, query);
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, TableNotFoundError */
  async count(caller: Principal, { project_id, digest }: TableStatsDto): Promise<number> {
    return (await this.find(caller, project_id, digest)).count;
  }

  /** @throws AccessDeniedError */
  async statistics(caller: Principal, body: TableStatsBatchDto): Promise<TableStatsBatchResultDto> {
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return { tables: [] };
    const found = await this.tables.listTables(projectRowId, body.digests, body.include_storage_size === true);
    return {
      tables: found.map(({ digest, count, sizeBytes }) => ({
        digest,
        count,
        ...(sizeBytes !== undefined && { storage_size_bytes: Number(sizeBytes) }),
      })),
    };
  }

  /** A table that the caller may read, and how many rows it has. */
  private async find(
    caller: Principal,
    projectId: string,
    digest: string,
  ): Promise<{ projectRowId: string; count: number }> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const count = await this.tables.count(projectRowId, digest);
    if (count === null) throw new TableNotFoundError(digest, projectId);
    return { projectRowId, count };
  }

  /** A draft for each row, the same one for equal rows. @throws ValidationError, DOMException (`AbortError`) */
  private async toDrafts(rows: JsonObject[], locOf: (index: number) => Loc, left: AbortSignal): Promise<RowDraft[]> {
    const issues: Issue[] = [];
    const drafts: RowDraft[] = [];
    const byText = new Map<string, RowDraft>();
    for (const [index, row] of rows.entries()) {
      await pauseAt(index, left);
      issues.push(...internalRefIssues(row, locOf(index)));
      if (issues.length >= MAX_ISSUES) break;
      const text = stringifyJson(row);
      const draft = byText.get(text) ?? this.toDraft(row, text);
      byText.set(text, draft);
      drafts.push(draft);
    }
    if (issues.length > 0) throw new ValidationError(issues.slice(0, MAX_ISSUES));
    return drafts;
  }

  private toDraft(row: JsonValue, text = stringifyJson(row)): RowDraft {
    const searchable = ValueRepository.isLarge(text) ? null : searchableText(row, text);
    return {
      digest: contentDigest(row, this.refScheme.name),
      text,
      searchable: searchable === text ? null : searchable,
      sizeBytes: canonicalText(row).length, // ASCII
    };
  }
}

/** Lets other requests have their turn now and then. @throws DOMException (`AbortError`) the caller left meanwhile */
async function pauseAt(index: number, left: AbortSignal): Promise<void> {
  if (index % ROWS_AT_ONCE !== ROWS_AT_ONCE - 1) return;
  await nextTurn();
  left.throwIfAborted();
}

/** Where a step changes the list. @throws ValidationError there is no such row */
function positionOf(step: TableStep, list: RowList, loc: Loc): number {
  if ('append' in step) return list.length;
  const last = 'insert' in step ? list.length : list.length - 1;
  const { index } = 'insert' in step ? step.insert : step.pop;
  const at = Number(index);
  if (at > last)
    throw new ValidationError([
      last < 0 ? valueIssue('The table has no rows', loc) : { ...rangeIssue('less', last), loc },
    ]);
  return at;
}

const chunksOf = (digests: string[]): string[][] =>
  Array.from({ length: Math.ceil(digests.length / CHUNK_ROWS) }, (_, number) =>
    digests.slice(number * CHUNK_ROWS, (number + 1) * CHUNK_ROWS),
  );

/** Hex SHA-256 of the joined row digests. */
function digestOf(list: RowList): string {
  const hash = createHash('sha256');
  for (const chunk of list.chunks()) hash.update(chunk.join(''));
  return hash.digest('hex');
}

/** @throws DigestMismatchError another digest was expected */
function assertDigest(digest: string, expected: string | null | undefined): void {
  if ((expected ?? digest) !== digest) throw new DigestMismatchError(expected as string, digest);
}
