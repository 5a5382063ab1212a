import type { UsageGroup } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { UsageQuery } from './usage-query.js';
import type { UsageGroupSums } from './usage-sums.js';

@Injectable()
export class UsageReportRepository {
  constructor(private readonly database: Database) {}

  /** Sums of each group, in order of the groups. Group names are formatted last, for few rows instead of every hour. */
  async query(projectRowId: string, { from, to, by }: Omit<UsageQuery, 'projectId'>): Promise<UsageGroupSums[]> {
    const { column, name } = GROUPS[by];
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT ${name} AS "group", ${SUMS} FROM (
        SELECT ${column}, ${SUMS} FROM usage_hours
        WHERE project_id = ${projectRowId}::uuid AND hour >= ${from}::timestamptz AND hour < ${to}::timestamptz
        GROUP BY ${column}
      ) AS sums GROUP BY 1 ORDER BY 1`;
    return rows.map(({ group, cost_nano_usd, ...row }) => ({
      group,
      requests: Number(row.requests),
      errors: Number(row.errors),
      aborted: Number(row.aborted),
      promptTokens: Number(row.prompt_tokens),
      cachedTokens: Number(row.cached_tokens),
      completionTokens: Number(row.completion_tokens),
      reasoningTokens: Number(row.reasoning_tokens),
      costNanoUsd: cost_nano_usd,
      timed: Number(row.timed),
      durationMs: Number(row.duration_ms),
    }));
  }
}

const COLUMNS = [
  'requests',
  'errors',
  'aborted',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cost_nano_usd',
  'timed',
  'duration_ms',
] as const;

type Row = Record<(typeof COLUMNS)[number], bigint> & { group: string };

const SUMS = Prisma.raw(COLUMNS.map((column) => `sum(${column})::bigint AS ${column}`).join(', '));

const HOUR = Prisma.sql`hour`;

const GROUPS: Record<UsageGroup, { column: Prisma.Sql; name: Prisma.Sql }> = {
  hour: { column: HOUR, name: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00.000Z"')` },
  day: { column: HOUR, name: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')` },
  model: { column: Prisma.sql`model`, name: Prisma.sql`model` },
  key: { column: Prisma.sql`key_id`, name: Prisma.sql`key_id::text` },
  // A key has one user for ever.
  user: {
    column: Prisma.sql`key_id`,
    name: Prisma.sql`coalesce((SELECT user_id FROM api_keys WHERE id = key_id), key_id)::text`,
  },
};
