import type { Readable } from 'node:stream';

import { parseDateTime, type RawJson, stringifyJson, type ThreadsQueryDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { distinctFields } from '../../streams/distinct-fields.js';
import { jsonLines } from '../../streams/json-lines.js';

/** Conversations: calls with one `thread_id`, in turns. */
@Injectable()
export class ThreadsRepository {
  constructor(private readonly database: Database) {}

  stream(
    projectRowId: string,
    { filter, sort_by, limit, offset, with_calls }: ThreadsQueryDto,
  ): Promise<RawJson | Readable> {
    const { thread_ids, after_datetime, before_datetime } = filter ?? {};
    const conditions = [
      ...(thread_ids?.length ? [Prisma.sql`AND thread_id = ANY(${thread_ids})`] : []),
      ...(after_datetime ? [Prisma.sql`AND started_at >= ${parseDateTime(after_datetime)}`] : []),
      ...(before_datetime ? [Prisma.sql`AND started_at < ${parseDateTime(before_datetime)}`] : []),
    ];
    const durationMs = Prisma.sql`(extract(epoch FROM ended_at - started_at) * 1000)::float8`;
    const sort = sort_by?.length ? distinctFields(sort_by) : [{ field: 'last_updated', direction: 'desc' } as const];
    const order = sort.map(({ field, direction }) => `${field} ${direction === 'desc' ? 'DESC' : 'ASC'}`);
    const sorted = Prisma.sql`ORDER BY ${Prisma.raw([...order, 'thread_id ASC'].join(', '))}`;
    const threads = Prisma.sql`
        SELECT thread_id, count(*) AS turn_count, min(started_at) AS start_time,
          greatest(max(ended_at), max(last_started_at)) AS last_updated,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY ${durationMs}) AS p50_turn_duration_ms,
          percentile_cont(0.99) WITHIN GROUP (ORDER BY ${durationMs}) AS p99_turn_duration_ms
        FROM (
          SELECT thread_id, min(started_at) AS started_at, max(ended_at) AS ended_at, max(started_at) AS last_started_at
          FROM calls
          WHERE project_id = ${projectRowId}::uuid AND deleted_at IS NULL AND started_at IS NOT NULL
            AND thread_id IS NOT NULL ${Prisma.join([Prisma.empty, ...conditions], ' ')}
          GROUP BY thread_id, coalesce(turn_id, trace_id)
        ) turns
        GROUP BY thread_id ${sorted}
        LIMIT ${limit ?? null} OFFSET ${offset ?? 0}`;
    const rootOf = (direction: 'ASC' | 'DESC') => Prisma.sql`(
      SELECT id FROM calls c
      WHERE c.project_id = ${projectRowId}::uuid AND c.thread_id = threads.thread_id AND c.deleted_at IS NULL
        AND c.started_at IS NOT NULL AND c.parent_id IS NULL
      ORDER BY c.started_at ${Prisma.raw(direction)}, c.id ${Prisma.raw(direction)} LIMIT 1)`;
    return jsonLines<object>(this.database, {
      // The calls are looked up of the conversations that are answered, not of all.
      query:
        with_calls === true
          ? Prisma.sql`
        SELECT threads.*, ${rootOf('ASC')} AS first_call_id, ${rootOf('DESC')} AS last_call_id
        FROM (${threads}) threads ${sorted}`
          : threads,
      limit: limit ?? undefined,
      toText: stringifyJson,
    });
  }
}
