import type { Readable } from 'node:stream';

import { withoutCase } from '@hone/call-queries';
import { type QueueQueryDto, type QueueStatsDto, type RawJson, stringifyJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { distinctFields } from '../streams/distinct-fields.js';
import { jsonLines } from '../streams/json-lines.js';
import { toQueue } from './queue.mapper.js';
import type { QueueRecord } from './queue.record.js';

const SORT_COLUMNS: Record<string, Prisma.Sql> = {
  id: Prisma.sql`q.id COLLATE "C"`,
  name: Prisma.sql`q.name COLLATE "C"`,
  created_at: Prisma.sql`q.created_at`,
  updated_at: Prisma.sql`q.updated_at`,
};

/** Live queues of a project, and how far annotators are with them. */
@Injectable()
export class QueueListRepository {
  constructor(private readonly database: Database) {}

  /** The whole answer: a queue on each line. */
  query(projectRowId: string, query: QueueQueryDto, refScheme: string): Promise<RawJson | Readable> {
    return jsonLines<QueueRecord>(this.database, {
      query: toSql(projectRowId, query),
      limit: query.limit ?? undefined,
      toText: (queue) => stringifyJson(toQueue(query.project_id, queue, refScheme)),
    });
  }

  /** Counts of live items, in the order of the ids, each once; ids of no live queue are left out. */
  async statistics(projectRowId: string, queueIds: string[], ownUserId: string | null): Promise<QueueStatsDto[]> {
    const unique = [...new Set(queueIds)];
    const rows = await this.database.client.$queryRaw<{ id: string; total: bigint; completed: bigint; own: bigint }[]>`
      SELECT q.id, n.total, n.completed, n.own
      FROM annotation_queues q CROSS JOIN LATERAL (
        SELECT count(*) AS total, count(*) FILTER (WHERE EXISTS (
          SELECT 1 FROM annotation_progress p
          WHERE p.project_id = i.project_id AND p.queue_id = i.queue_id AND p.item_id = i.id AND p.state = 'completed'
        )) AS completed, ${ownUserId === null ? Prisma.sql`0::bigint` : OWN_ITEMS(ownUserId)} AS own
        FROM annotation_queue_items i
        WHERE i.project_id = q.project_id AND i.queue_id = q.id AND i.deleted_at IS NULL
          AND i.call_deleted_at IS NULL
      ) n
      WHERE q.project_id = ${projectRowId}::uuid AND q.id = ANY(${unique}) AND q.deleted_at IS NULL`;
    const byId = new Map(rows.map((row) => [row.id, row]));
    return unique.flatMap((id) => {
      const row = byId.get(id);
      if (!row) return [];
      const own = ownUserId === null ? {} : { own_items: Number(row.own) };
      return [{ queue_id: id, total_items: Number(row.total), completed_items: Number(row.completed), ...own }];
    });
  }
}

/** Of the items `i` those that an annotator has completed or skipped. */
const OWN_ITEMS = (userId: string): Prisma.Sql => Prisma.sql`count(*) FILTER (WHERE EXISTS (
  SELECT 1 FROM annotation_progress p
  WHERE p.project_id = i.project_id AND p.queue_id = i.queue_id AND p.item_id = i.id AND p.user_id = ${userId}::uuid
    AND p.state IN ('completed', 'skipped')))`;

function toSql(projectRowId: string, query: QueueQueryDto): Prisma.Sql {
  const named = query.name
    ? Prisma.sql`AND strpos(${withoutCase(Prisma.sql`q.name`)}, ${withoutCase(Prisma.sql`${query.name}::text`)}) > 0`
    : Prisma.empty;
  const sort = query.sort_by?.length ? query.sort_by : [{ field: 'created_at', direction: 'desc' }];
  const order = distinctFields<(typeof sort)[number]>(sort).map(
    ({ field, direction }) =>
      Prisma.sql`${SORT_COLUMNS[field] as Prisma.Sql} ${direction === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`}`,
  );
  return Prisma.sql`
    SELECT q.id, q.name, q.description, q.scorer_refs AS "scorerRefs",
      q.reviewers_per_item AS "reviewersPerItem", q.lease_seconds AS "leaseSeconds", q.assigned_only AS "assignedOnly", q.created_at AS "createdAt",
      q.created_by AS "createdBy", q.updated_at AS "updatedAt", q.deleted_at AS "deletedAt"
    FROM annotation_queues q
    WHERE q.project_id = ${projectRowId}::uuid AND q.deleted_at IS NULL ${named}
    ORDER BY ${Prisma.join([...order, Prisma.sql`q.id COLLATE "C"`])}
    LIMIT ${query.limit ?? null} OFFSET ${query.offset ?? 0}`;
}
