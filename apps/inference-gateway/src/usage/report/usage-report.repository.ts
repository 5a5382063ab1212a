import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

import type { UsageGroup, UsageQuery } from './usage-query.js';
import type { UsageGroupSums } from './usage-sums.js';

type Row = Record<Exclude<keyof UsageGroupSums, 'group'>, bigint> & { group: string };

@Injectable()
export class UsageReportRepository {
  constructor(private readonly database: Database) {}

  /** From the hourly sums, in the order of the groups. */
  async query(projectRowId: string, { from, to, by }: Omit<UsageQuery, 'projectId'>): Promise<UsageGroupSums[]> {
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT ${GROUPS[by]} AS "group", sum(requests)::bigint AS requests, sum(errors)::bigint AS errors,
        sum(aborted)::bigint AS aborted, sum(prompt_tokens)::bigint AS "promptTokens",
        sum(cached_tokens)::bigint AS "cachedTokens", sum(completion_tokens)::bigint AS "completionTokens",
        sum(reasoning_tokens)::bigint AS "reasoningTokens", sum(cost_nano_usd)::bigint AS "costNanoUsd"
      FROM usage_hours
      WHERE project_id = ${projectRowId}::uuid AND hour >= ${from}::timestamptz AND hour < ${to}::timestamptz
      GROUP BY 1 ORDER BY 1`;
    return rows.map(({ group, costNanoUsd, ...counts }) => ({ group, costNanoUsd, ...toNumbers(counts) }));
  }
}

const GROUPS: Record<UsageGroup, Prisma.Sql> = {
  hour: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00.000Z"')`,
  day: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  model: Prisma.sql`model`,
  key: Prisma.sql`key_id::text`,
};

const toNumbers = <Name extends string>(row: Record<Name, bigint>): Record<Name, number> =>
  Object.fromEntries(Object.entries<bigint>(row).map(([name, value]) => [name, Number(value)])) as Record<Name, number>;
