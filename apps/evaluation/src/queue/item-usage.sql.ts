import { Prisma } from '@hone/database';

/**
 * What requests of items have cost, by `uid` and `attempt`, from the index of usage records by item.
 *
 * @param since no request is older
 */
export const usageOf = (projectRowId: string, uids: readonly string[], since: Date): Prisma.Sql => Prisma.sql`
  SELECT left(u.rid, 36) AS uid, split_part(u.rid, '.', 2) AS attempt, sum(u.cost_nano_usd)::float8 AS cost
  FROM usage_records u
  WHERE u.project_id = ${projectRowId}::uuid AND left(u.rid, 36) = ANY(${[...uids]}::text[]) AND substr(u.rid, 37, 1) = '.'
    AND u.day >= ${since.toISOString().slice(0, 10)}::date
  GROUP BY 1, 2`;
