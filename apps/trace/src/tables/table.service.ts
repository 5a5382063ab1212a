import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type Loc,
  rangeIssue,
  RawJson,
  type TableDigestDto,
  type TableQueryDto,
  type TableStatsBatchDto,
  type TableStatsBatchResultDto,
  type TableStatsDto,
  valueIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { fromPieces } from '@hone/threads';
import { Injectable } from '@nestjs/common';

import { DigestMismatchError } from '../objects/object.errors.js';
import { listTextOf, type RowDigests, RowDigestsWriter } from './row-digests.js';
import { RowList } from './row-list.js';
import { TableNotFoundError } from './table.errors.js';
import { TableRepository } from './table.repository.js';
import type { SentDigests, SentStep, SentTable, SentUpdate, TableDraft } from './table-bodies.task.js';
import { TableQueryRepository } from './table-query.repository.js';

/** Steps of an update, and chunks of a table, between which other requests have their turn. */
const STEPS_AT_ONCE = 1_000;
const CHUNKS_AT_ONCE = 20;

/** Answers whose lists of digests may be long, as texts. */
export interface TableCreated {
  digest: string;
  row_digests: RawJson;
}

export interface TableUpdated {
  digest: string;
  updated_row_digests: RawJson;
}

/** Tables of rows, which datasets name. A table never changes: an update makes another one. */
@Injectable()
export class TableService {
  constructor(
    private readonly tables: TableRepository,
    private readonly queries: TableQueryRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /**
   * Stores a table and its rows.
   *
   * @throws AccessDeniedError
   * @throws DigestMismatchError the table's digest is not `expected_digest`
   */
  async create(
    author: Principal,
    { projectId, expectedDigest, table }: SentTable,
    left: AbortSignal,
  ): Promise<TableCreated> {
    const grant = await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const { digest } = table.digests;
    assertDigest(digest, expectedDigest);
    await this.database.transaction(async () => this.put(await this.access.rowIdFor(author, grant), table, left));
    return { digest, row_digests: new RawJson(listTextOf(table.digests)) };
  }

  /** Stores a table and its rows, in the ambient transaction. @throws DOMException (`AbortError`) the caller left */
  async put(projectRowId: string, { rows, digests }: TableDraft, left: AbortSignal): Promise<void> {
    await this.tables.putRows(projectRowId, rows, left);
    await this.tables.putTable(projectRowId, digests);
  }

  /**
   * Stores a table of rows that the project has.
   *
   * @throws ValidationError it does not have one of them
   * @throws AccessDeniedError, ProjectNotFoundError, DigestMismatchError
   */
  async createFromDigests(
    author: Principal,
    { projectId, expectedDigest, digests }: SentDigests,
  ): Promise<TableDigestDto> {
    const projectRowId = await this.access.getReadable(author, 'trace', projectId, 'writer');
    await this.database.transaction(async () => {
      await this.tables.lockTables(projectRowId);
      await this.assertRows(projectRowId, digests);
      assertDigest(digests.digest, expectedDigest);
      await this.tables.putTable(projectRowId, digests);
    });
    return { digest: digests.digest };
  }

  /** @throws ValidationError the project does not have one of the rows */
  private async assertRows(projectRowId: string, digests: RowDigests): Promise<void> {
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
  async update(
    author: Principal,
    { projectId, baseDigest, ...sent }: SentUpdate,
    left: AbortSignal,
  ): Promise<TableUpdated> {
    const projectRowId = await this.access.getReadable(author, 'trace', projectId, 'writer');
    if ((await this.tables.count(projectRowId, baseDigest)) === null)
      throw new TableNotFoundError(baseDigest, projectId);
    const list = new RowList(await this.tables.readChunks(projectRowId, baseDigest));
    const updated = await changeRows(list, sent, left);
    const digests = await digestsOf(list, left);
    await this.database.transaction(() => this.put(projectRowId, { rows: sent.rows, digests }, left));
    return { digest: digests.digest, updated_row_digests: new RawJson(updated) };
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
}

/** @returns the digests of the rows that the steps changed, as the text of a JSON list. @throws ValidationError, DOMException */
async function changeRows(
  list: RowList,
  { steps: pieces, refused }: Pick<SentUpdate, 'steps' | 'refused'>,
  left: AbortSignal,
): Promise<string> {
  const steps = (await fromPieces(pieces)) as SentStep[];
  const updated: string[] = [];
  for (const [index, step] of steps.entries()) {
    await pauseAt(index, STEPS_AT_ONCE, left);
    const at = positionOf(step, list, ['body', 'updates', index, step.kind, 'index']);
    if (refused && index === steps.length - 1) throw new ValidationError(refused);
    const digest = step.kind === 'pop' ? list.pop(at) : step.digest;
    if (step.kind !== 'pop') list.insert(at, digest);
    updated.push(JSON.stringify(digest));
  }
  return `[${updated.join(',')}]`;
}

async function digestsOf(list: RowList, left: AbortSignal): Promise<RowDigests> {
  const writer = new RowDigestsWriter();
  let index = 0;
  for (const chunk of list.chunks()) {
    await pauseAt(index++, CHUNKS_AT_ONCE, left);
    writer.add(chunk);
  }
  return writer.end();
}

/** Lets other requests have their turn now and then. @throws DOMException (`AbortError`) the caller left meanwhile */
async function pauseAt(index: number, atOnce: number, left: AbortSignal): Promise<void> {
  if (index % atOnce !== atOnce - 1) return;
  await nextTurn();
  left.throwIfAborted();
}

/** Where a step changes the list. @throws ValidationError there is no such row */
function positionOf({ kind, index }: SentStep, list: RowList, loc: Loc): number {
  if (kind === 'append') return list.length;
  const last = kind === 'insert' ? list.length : list.length - 1;
  if (index > last)
    throw new ValidationError([
      last < 0 ? valueIssue('The table has no rows', loc) : { ...rangeIssue('less', last), loc },
    ]);
  return index;
}

/** @throws DigestMismatchError another digest was expected */
function assertDigest(digest: string, expected: string | null): void {
  if ((expected ?? digest) !== digest) throw new DigestMismatchError(expected as string, digest);
}
