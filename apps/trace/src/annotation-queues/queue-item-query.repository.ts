import { type AnnotationState, type QueueItemFilterDto, type QueueItemQueryDto, stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type CursorPage, nextCursor } from '../cursors/cursors.js';
import { isAfter, keysetColumns, type KeysetKey, type KeysetValues, keysetValues } from '../cursors/keyset.sql.js';
import { distinctFields } from '../streams/distinct-fields.js';
import type { JsonListOptions } from '../streams/json-list.js';
import { type RowsAnswer, rowsAnswer } from '../streams/rows-answer.js';
import { toQueueItem } from './queue.mapper.js';
import type { QueueItemRecord } from './queue.record.js';
import { ITEM_COLUMNS } from './queue.repository.js';

type ItemRow = QueueItemRecord & { userId: string | null; state: AnnotationState; progressAt: Date; position?: bigint };

/** `/annotation_queues/{id}/items/query`: live items of a queue with their newest progress. */
@Injectable()
export class QueueItemQueryRepository {
  constructor(private readonly database: Database) {}

  /** The whole answer, or a page of it. */
  query(
    projectRowId: string,
    queueId: string,
    query: QueueItemQueryDto,
    page: CursorPage | undefined,
    asLines: boolean,
  ): Promise<RowsAnswer> {
    const keys = toKeys(query.sort_by);
    let last: KeysetValues = [];
    const list: JsonListOptions<ItemRow> = {
      query: toSql(projectRowId, queueId, query, page),
      limit: page ? page.limit + 1 : (query.limit ?? undefined),
      writtenRows: page?.limit,
      head: '{"items":[',
      tail: (rows) => `]${nextCursor(page, rows, last)}}`,
      toText: ({ userId, state, progressAt, position, ...item }) => {
        if (page) last = keysetValues(item, keys);
        const newest = userId === null ? null : { userId, state, updatedAt: progressAt };
        return stringifyJson({ ...toQueueItem(query.project_id, item, newest), position_in_queue: position ?? null });
      },
    };
    return rowsAnswer(this.database, list, asLines);
  }
}

function toSql(
  projectRowId: string,
  queueId: string,
  query: QueueItemQueryDto,
  page: CursorPage | undefined,
): Prisma.Sql {
  const keys = toKeys(query.sort_by);
  const keyColumns = page ? Prisma.sql`, ${keysetColumns(keys)}` : Prisma.empty;
  const after = page?.after ? Prisma.sql`AND ${isAfter(keys, page.after)}` : Prisma.empty;
  const position = query.include_position
    ? Prisma.sql`, row_number() OVER (ORDER BY i.created_at, i.id) AS position`
    : Prisma.empty;
  const order = orderOf(query.sort_by).map(
    ({ field, direction }) =>
      `"${SORT_COLUMNS[field]}" ${direction === 'desc' ? 'DESC' : 'ASC'}${field === NULLABLE ? ' NULLS LAST' : ''}`,
  );
  // Positions are counted over the whole queue, so the numbering comes before every filter.
  return Prisma.sql`
    SELECT item.* ${keyColumns} FROM (
      SELECT ${ITEM_COLUMNS}, p.user_id AS "userId",
        CASE WHEN i.call_deleted_at IS NULL THEN coalesce(p.state, 'unstarted') ELSE 'call_deleted' END AS state, p.updated_at AS "progressAt" ${position}
      FROM annotation_queue_items i LEFT JOIN LATERAL (
        SELECT user_id, state, updated_at FROM annotation_progress
        WHERE project_id = i.project_id AND queue_id = i.queue_id AND item_id = i.id AND ${HAS_STARTED}
        ORDER BY updated_at DESC, user_id LIMIT 1
      ) p ON true
      WHERE i.project_id = ${projectRowId}::uuid AND i.queue_id = ${queueId} AND i.deleted_at IS NULL
    ) AS item
    WHERE true ${toConditions(query.filter)} ${after}
    ORDER BY ${Prisma.raw(order.join(', '))}
    LIMIT ${page ? page.limit + 1 : (query.limit ?? null)} OFFSET ${query.offset ?? 0}`;
}

/** An annotator who only holds a lease, or whose lease expired, counts as one without progress. */
const HAS_STARTED = Prisma.sql`state <> 'unstarted' AND (state <> 'in_progress' OR coalesce(lease_expires_at > now(), true))`;

/** The one sort column that may be null. Of the others an index may be read backwards, which has nulls first. */
const NULLABLE = 'call_ended_at';
const SORT_COLUMNS: Record<string, string> = {
  id: 'id',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  call_started_at: 'callStartedAt',
  call_ended_at: 'callEndedAt',
};

/** The whole order, each field once. */
const orderOf = (sortBy: QueueItemQueryDto['sort_by']) => distinctFields([...(sortBy ?? []), ...TIES]);

const TIES = (['created_at', 'id'] as const).map((field) => ({ field, direction: 'asc' as const }));

function toKeys(sortBy: QueueItemQueryDto['sort_by']): KeysetKey[] {
  return orderOf(sortBy).map(({ field, direction }) => ({
    ...{ sql: Prisma.raw(`"${SORT_COLUMNS[field]}"`), type: field === 'id' ? 'text' : 'timestamptz' },
    ...{ direction, isNeverNull: field !== NULLABLE },
  }));
}

function toConditions(filter: QueueItemFilterDto | null | undefined): Prisma.Sql {
  const { id, call_id, call_op_name, call_trace_id, added_by, annotation_states } = filter ?? {};
  const conditions: Prisma.Sql[] = [];
  if (typeof id === 'string') conditions.push(Prisma.sql`AND id = ${id}`);
  if (typeof call_id === 'string') conditions.push(Prisma.sql`AND "callId" = ${call_id}`);
  if (typeof call_op_name === 'string') conditions.push(Prisma.sql`AND "callOpName" = ${call_op_name}`);
  if (typeof call_trace_id === 'string') conditions.push(Prisma.sql`AND "callTraceId" = ${call_trace_id}`);
  if (typeof added_by === 'string') conditions.push(Prisma.sql`AND "addedBy"::text = ${added_by}`);
  if (annotation_states?.length) conditions.push(Prisma.sql`AND state = ANY(${annotation_states})`);
  return conditions.length ? Prisma.join(conditions, ' ') : Prisma.empty;
}
