import type { FeedbackAggregateDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { bucketOf } from '../../time-buckets/time-buckets.sql.js';

/** Of a bucket and a group: how many records there are, how many have a tag, or what a rating adds up to. */
export interface AggregateRow {
  kind: 'records' | 'tag' | 'rating';
  /** Null: the whole time. */
  bucket: Date | null;
  scorerId: string;
  /** Of the tag or rating; empty for records. */
  name: string;
  count: bigint;
  /** Of records, those with a tag or a rating; of a rating, the sum of its values. */
  sum: number;
}

/** Counts what scorers said. */
@Injectable()
export class FeedbackAggregateRepository {
  constructor(private readonly database: Database) {}

  /** @param bucketSeconds null: one bucket; @param limit most rows */
  list(
    projectRowId: string,
    body: FeedbackAggregateDto,
    bucketSeconds: number | null,
    limit: number,
  ): Promise<AggregateRow[]> {
    const bucket =
      bucketSeconds === null
        ? Prisma.sql`NULL::timestamptz`
        : bucketOf(Prisma.sql`f.created_at`, { granularitySeconds: bucketSeconds, timezone: 'UTC' });
    const scorerId = body.group_by?.includes('scorer_id')
      ? Prisma.sql`coalesce(${idIn('runnable_ref')}, '')`
      : Prisma.sql`''`;
    return this.database.client.$queryRaw<AggregateRow[]>`
      WITH record AS MATERIALIZED (
        SELECT ${bucket} AS bucket, ${scorerId} AS scorer, f.scorer_tags AS tags, f.scorer_ratings AS ratings
        FROM feedback f
        WHERE f.project_id = ${projectRowId}::uuid AND ${Prisma.join(toConditions(body), ' AND ')}
      )
      SELECT * FROM (
        SELECT 'records' AS kind, bucket, scorer AS "scorerId", '' AS name, count(*) AS count,
          (count(*) FILTER (WHERE cardinality(tags) > 0 OR ratings <> '{}'::jsonb))::float8 AS sum
        FROM record GROUP BY bucket, scorer
        UNION ALL
        SELECT 'tag', bucket, scorer, tag, count(*), 0
        FROM record CROSS JOIN LATERAL (SELECT DISTINCT unnest(tags)) t (tag) GROUP BY bucket, scorer, tag
        UNION ALL
        SELECT 'rating', bucket, scorer, r.key, count(*), sum((r.value)::float8)
        FROM record CROSS JOIN LATERAL jsonb_each(ratings) r GROUP BY bucket, scorer, r.key
      ) counted
      ORDER BY bucket, "scorerId" COLLATE "C", kind, name COLLATE "C" LIMIT ${limit}`;
  }
}

/** `<name>:<digest>` of an object or op ref. */
const idIn = (column: 'runnable_ref' | 'trigger_ref'): Prisma.Sql =>
  Prisma.sql`substring(f.${Prisma.raw(column)} FROM '^[^/]+/[^/]+/(?:object|op)/([^/]+)')`;

function toConditions(body: FeedbackAggregateDto): Prisma.Sql[] {
  const conditions = [
    Prisma.sql`f.created_at >= ${new Date(body.after_ms)}`,
    Prisma.sql`f.created_at < ${new Date(body.before_ms)}`,
  ];
  if (body.feedback_types?.length)
    conditions.push(
      Prisma.sql`EXISTS (SELECT 1 FROM unnest(${body.feedback_types}::text[]) p WHERE starts_with(f.feedback_type, p))`,
    );
  for (const [column, ids] of [
    ['runnable_ref', body.scorer_ids],
    ['trigger_ref', body.monitor_ids],
  ] as const)
    if (ids?.length) conditions.push(isOneOf(idIn(column), ids));
  if (body.tags?.length) conditions.push(Prisma.sql`f.scorer_tags && ${body.tags}::text[]`);
  const [least, most] = [body.rating_min ?? null, body.rating_max ?? null];
  if (least !== null || most !== null)
    conditions.push(Prisma.sql`EXISTS (SELECT 1 FROM jsonb_each(f.scorer_ratings) r
      WHERE (r.value)::float8 BETWEEN coalesce(${least}::float8, '-infinity') AND coalesce(${most}::float8, 'infinity'))`);
  return conditions;
}

/** @param ids one that ends in `*` is a prefix */
function isOneOf(id: Prisma.Sql, ids: string[]): Prisma.Sql {
  const exact = ids.filter((one) => !one.endsWith('*'));
  const prefixes = ids.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1));
  return Prisma.sql`(${id} = ANY(${exact}::text[])
    OR EXISTS (SELECT 1 FROM unnest(${prefixes}::text[]) p WHERE starts_with(${id}, p)))`;
}
