import type { Readable } from 'node:stream';

import { type StoredValue, ValueRepository } from '@hone/calls';
import {
  type ObjectFilterDto,
  type ObjectQueryDto,
  type ObjectReadDto,
  type ObjectSortDto,
  RawJson,
  stringifyJson,
  type TypedObjectListQueryDto,
} from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import type { ObjectVersionRecord, VersionFilter } from '@hone/objects';
import { Injectable } from '@nestjs/common';

import { type CursorPage, nextCursor } from '../cursors/cursors.js';
import { isAfter, type KeysetKey, type KeysetValues } from '../cursors/keyset.sql.js';
import { jsonLines } from '../streams/json-lines.js';
import type { JsonListOptions } from '../streams/json-list.js';
import { type RowsAnswer, rowsAnswer } from '../streams/rows-answer.js';

interface VersionRow {
  objectId: string;
  createdAt: Date;
  digest: string;
  versionIndex: number;
  isLatest: number;
  kind: string;
  baseObjectClass: string | null;
  leafObjectClass: string | null;
  svcUserId: string;
  valText?: string | null;
  valBlob?: string | null;
  sizeBytes?: bigint;
  tags?: string[];
  aliases?: string[];
}

/** What a list of typed objects is made of. */
export type LatestVersion = Pick<ObjectVersionRecord, 'objectId' | 'digest' | 'versionIndex' | 'createdAt' | 'val'>;

/** A query within a project. */
type ProjectObjectQuery = Omit<ObjectQueryDto, 'project_id'>;

/** The parts of a version that an answer has. */
type WhatIsShown = Pick<ObjectQueryDto, 'metadata_only' | 'include_storage_size' | 'include_tags_and_aliases'>;

const NO_VALUE = new RawJson('{}');
/** The alias that every object's latest version has, and no row of its own. */
const LATEST = 'latest';

/** Those that a query may name; the planner drops the values when it names none. */
const VERSION_COLUMNS = Prisma.sql`v.project_id, v.object_id, v.created_at, v.digest, v.version_index, v.kind,
  v.base_object_class, v.leaf_object_class, v.svc_user_id, v.val_text, v.val_blob, v.size_bytes`;

/** `/objs/query`: live versions of a project. */
@Injectable()
export class ObjectQueryRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** The whole answer, or a page of it. Only the columns that were asked for are read. */
  query(
    projectRowId: string,
    query: ObjectQueryDto,
    page: CursorPage | undefined,
    asLines: boolean,
  ): Promise<RowsAnswer> {
    const keys = sortKeys(query.sort_by, VERSION_KEYS);
    let last: KeysetValues = [];
    const source: JsonListOptions<VersionRow> = {
      query: objectsQuery(projectRowId, page ? { ...query, limit: page.limit + 1 } : query, page?.after),
      limit: page ? page.limit + 1 : (query.limit ?? undefined),
      writtenRows: page?.limit,
      head: '{"objs":[',
      tail: (rows) => `]${nextCursor(page, rows, last)}}`,
      toText: async (row) => {
        if (page) last = keys.map(({ of }) => toKeyText(row[of]));
        return stringifyJson(await this.toVersion(projectRowId, query, row));
      },
    };
    return rowsAnswer(this.database, source, asLines);
  }

  /** The latest version of each object, the first made first, one on each line. @param filter those that are meant */
  listLatest(
    projectRowId: string,
    { kind, baseObjectClass }: VersionFilter,
    { limit, offset }: TypedObjectListQueryDto,
    toText: (version: LatestVersion) => Promise<string>,
  ): Promise<RawJson | Readable> {
    const filter: ObjectFilterDto = {
      latest_only: true,
      base_object_classes: baseObjectClass === undefined ? null : [baseObjectClass],
      is_op: kind === undefined ? null : kind === 'op',
    };
    return jsonLines<VersionRow>(this.database, {
      query: objectsQuery(projectRowId, { filter, limit, offset }),
      limit,
      toText: (row) => toText({ ...row, val: storedValue(row) }),
    });
  }

  /** One live version as an answer has it; null when there is none. */
  async find(projectRowId: string, query: ObjectReadDto): Promise<Record<string, unknown> | null> {
    const { object_id, digest } = query;
    const [row] = await this.database.client.$queryRaw<VersionRow[]>`
      SELECT ${Prisma.join(toColumns(query))} FROM object_versions v CROSS JOIN LATERAL (
        SELECT h.latest_digest FROM object_heads h
        WHERE h.project_id = v.project_id AND h.object_id = v.object_id LIMIT 1
      ) h
      WHERE v.project_id = ${projectRowId}::uuid AND v.object_id = ${object_id} AND v.digest = ${digest}
        AND v.deleted_at IS NULL`;
    return row ? this.toVersion(projectRowId, query, row) : null;
  }

  private async toVersion(
    projectRowId: string,
    query: WhatIsShown & { project_id: string },
    row: VersionRow,
  ): Promise<Record<string, unknown>> {
    return {
      project_id: query.project_id,
      object_id: row.objectId,
      created_at: row.createdAt,
      digest: row.digest,
      version_index: row.versionIndex,
      is_latest: row.isLatest,
      kind: row.kind,
      base_object_class: row.baseObjectClass,
      leaf_object_class: row.leafObjectClass,
      val: query.metadata_only
        ? NO_VALUE
        : new RawJson((await this.values.get(projectRowId, storedValue(row))) as string),
      deleted_at: null,
      svc_user_id: row.svcUserId,
      size_bytes: row.sizeBytes,
      tags: row.tags,
      aliases: row.aliases,
    };
  }
}

const storedValue = ({ valText = null, valBlob = null }: VersionRow): StoredValue => ({ text: valText, blob: valBlob });

/** Which versions a part of a query walks: all, the latest of each object through its head, or all but the latest. */
type Walk = 'all' | 'latest' | 'older';

/** @internal exported for the spec that looks at its plans */
export function objectsQuery(projectRowId: string, query: ProjectObjectQuery, after?: KeysetValues): Prisma.Sql {
  const page = Prisma.sql`LIMIT ${query.limit ?? null} OFFSET ${query.offset ?? 0}`;
  const { latest_only, aliases } = query.filter ?? {};
  const others = aliases?.filter((alias) => alias !== LATEST) ?? [];
  const wantsLatest = aliases !== undefined && aliases !== null && others.length < aliases.length;
  if (latest_only === true || (wantsLatest && others.length === 0)) {
    const filter = { ...query.filter, ...(wantsLatest && { aliases: null }) };
    return Prisma.sql`${walk('latest', projectRowId, query, filter, after)} ${page}`;
  }
  if (!wantsLatest) return Prisma.sql`${walk('all', projectRowId, query, query.filter, after)} ${page}`;
  // Latest or labelled: each half walks its own index, where one condition for both would read every version.
  const enough = Prisma.sql`LIMIT ${query.limit === null || query.limit === undefined ? null : query.limit + (query.offset ?? 0)}`;
  const halves = [
    walk('latest', projectRowId, query, { ...query.filter, aliases: null }, after),
    walk('older', projectRowId, query, { ...query.filter, aliases: others }, after),
  ].map((half) => Prisma.sql`(${half} ${enough})`);
  return Prisma.sql`SELECT * FROM (${Prisma.join(halves, ' UNION ALL ')}) AS found
    ORDER BY ${toOrder(query.sort_by, FOUND_KEYS)} ${page}`;
}

function walk(
  which: Walk,
  projectRowId: string,
  query: ProjectObjectQuery,
  filter: ObjectFilterDto | null | undefined,
  after: KeysetValues | undefined,
): Prisma.Sql {
  const sameObject = Prisma.sql`h.project_id = v.project_id AND h.object_id = v.object_id`;
  // Latest versions are found through their heads, whose index holds the sort keys: the history is not touched. With a
  // plain join Postgres would take the columns of the key for independent, expect one row in all, and join everything
  // before it sorts; LIMIT 1 in a LATERAL lets it walk an index and stop at the page's end.
  const source =
    which === 'latest'
      ? Prisma.sql`object_heads h CROSS JOIN LATERAL (
        SELECT ${VERSION_COLUMNS} FROM object_versions v WHERE ${sameObject} AND v.digest = h.latest_digest LIMIT 1
      ) v
      WHERE h.project_id = ${projectRowId}::uuid AND h.latest_digest IS NOT NULL`
      : Prisma.sql`object_versions v CROSS JOIN LATERAL (
        SELECT h.latest_digest FROM object_heads h WHERE ${sameObject} LIMIT 1
      ) h
      WHERE v.project_id = ${projectRowId}::uuid AND v.deleted_at IS NULL`;
  const conditions = toConditions(filter);
  if (which === 'older') conditions.push(Prisma.sql`v.digest IS DISTINCT FROM h.latest_digest`);
  const order = which === 'latest' ? HEAD_KEYS : VERSION_KEYS;
  if (after) conditions.push(isAfter(sortKeys(query.sort_by, order), after));
  return Prisma.sql`
    SELECT ${Prisma.join(toColumns(query))} FROM ${source} ${toConjunction(conditions)}
    ORDER BY ${toOrder(query.sort_by, order)}`;
}

function toColumns(query: WhatIsShown): Prisma.Sql[] {
  const columns = [
    Prisma.sql`v.object_id AS "objectId", v.created_at AS "createdAt", v.digest, v.version_index AS "versionIndex",
      (v.digest = h.latest_digest)::int AS "isLatest", v.kind, v.base_object_class AS "baseObjectClass",
      v.leaf_object_class AS "leafObjectClass", v.svc_user_id AS "svcUserId"`,
  ];
  if (!query.metadata_only) columns.push(Prisma.sql`v.val_text AS "valText", v.val_blob AS "valBlob"`);
  if (query.include_storage_size) columns.push(Prisma.sql`v.size_bytes AS "sizeBytes"`);
  if (query.include_tags_and_aliases) columns.push(labels('tag'), labels('alias'));
  return columns;
}

/** All tags or aliases of a version, sorted; `latest` is an alias of the latest one. */
function labels(kind: 'tag' | 'alias'): Prisma.Sql {
  if (kind === 'tag') {
    return Prisma.sql`ARRAY(SELECT t.tag FROM object_tags t
      WHERE t.project_id = v.project_id AND t.object_id = v.object_id AND t.digest = v.digest ORDER BY 1) AS tags`;
  }
  return Prisma.sql`ARRAY(SELECT a.alias FROM object_aliases a
    WHERE a.project_id = v.project_id AND a.object_id = v.object_id AND a.digest = v.digest
    UNION ALL SELECT 'latest' COLLATE "C" WHERE v.digest = h.latest_digest ORDER BY 1) AS aliases`;
}

function toConditions(filter: ObjectFilterDto | null | undefined): Prisma.Sql[] {
  const { object_ids, base_object_classes, exclude_base_object_classes, leaf_object_classes, is_op, tags, aliases } =
    filter ?? {};
  const conditions: Prisma.Sql[] = [];
  if (object_ids?.length) conditions.push(Prisma.sql`v.object_id = ANY(${object_ids})`);
  if (base_object_classes?.length) conditions.push(Prisma.sql`v.base_object_class = ANY(${base_object_classes})`);
  if (exclude_base_object_classes?.length) {
    conditions.push(Prisma.sql`(v.base_object_class = ANY(${exclude_base_object_classes})) IS NOT TRUE`);
  }
  if (leaf_object_classes?.length) conditions.push(Prisma.sql`v.leaf_object_class = ANY(${leaf_object_classes})`);
  if (typeof is_op === 'boolean') conditions.push(is_op ? Prisma.sql`v.kind = 'op'` : Prisma.sql`v.kind <> 'op'`);
  if (tags?.length) {
    conditions.push(Prisma.sql`EXISTS (SELECT 1 FROM object_tags t WHERE t.project_id = v.project_id
      AND t.object_id = v.object_id AND t.digest = v.digest AND t.tag = ANY(${tags}))`);
  }
  if (aliases?.length) {
    conditions.push(Prisma.sql`EXISTS (SELECT 1 FROM object_aliases a WHERE a.project_id = v.project_id
      AND a.object_id = v.object_id AND a.digest = v.digest AND a.alias = ANY(${aliases}))`);
  }
  return conditions;
}

const toConjunction = (conditions: Prisma.Sql[]): Prisma.Sql =>
  conditions.length ? Prisma.sql`AND ${Prisma.join(conditions, ' AND ')}` : Prisma.empty;

/** Where a query finds the keys that it sorts by. */
interface SortKeys {
  createdAt: string;
  versionIndex: string;
  objectId: string;
}

const HEAD_KEYS: SortKeys = {
  createdAt: 'h.latest_created_at',
  versionIndex: 'h.latest_version_index',
  objectId: 'h.object_id',
};
const FOUND_KEYS: SortKeys = { createdAt: '"createdAt"', versionIndex: '"versionIndex"', objectId: '"objectId"' };
const VERSION_KEYS: SortKeys = { createdAt: 'v.created_at', versionIndex: 'v.version_index', objectId: 'v.object_id' };

type SortKey = KeysetKey & { of: keyof SortKeys };
const TYPES: Record<keyof SortKeys, KeysetKey['type']> = {
  ...{ createdAt: 'timestamptz', versionIndex: 'numeric', objectId: 'text' },
};

/** The whole order: what is asked for, then what tells versions apart; each key once. */
function sortKeys(sortBy: ObjectSortDto[] | null | undefined, columns: SortKeys): SortKey[] {
  const sort = sortBy?.length ? sortBy : [{ field: 'created_at', direction: 'asc' } as const];
  const asked = sort.map(({ field, direction }) => ({
    of: field === 'object_id' ? ('objectId' as const) : ('createdAt' as const),
    direction,
  }));
  const ties = (['versionIndex', 'objectId'] as const).map((of) => ({ of, direction: 'asc' as const }));
  const keys = [...asked, ...ties];
  const first = keys.filter(({ of }, at) => keys.findIndex((key) => key.of === of) === at);
  return first.map(({ of, direction }) => ({
    ...{ of, direction, type: TYPES[of], isNeverNull: true, sql: Prisma.raw(columns[of]) },
  }));
}

const toKeyText = (value: string | number | Date): string =>
  value instanceof Date ? value.toISOString() : String(value);

const toOrder = (sortBy: ObjectSortDto[] | null | undefined, columns: SortKeys): Prisma.Sql =>
  Prisma.raw(
    [
      ...new Set(
        sortKeys(sortBy, columns).map(({ of, direction }) => `${columns[of]} ${direction === 'desc' ? 'DESC' : 'ASC'}`),
      ),
    ].join(', '),
  );
