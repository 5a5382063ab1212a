import type { UsageGroup } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { MAX_ROWS, type UsageQuery } from './usage-query.js';
import type { UsageGroupSums } from './usage-sums.js';

@Injectable()
export class UsageReportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Sums of each group, or pair of groups, in their order; of pairs one more than an answer takes, at most. Group names are
   * formatted last, for few rows instead of every hour.
   */
  async query(projectRowId: string, query: Omit<UsageQuery, 'projectId'>): Promise<UsageGroupSums[]> {
    const { from, to, by, thenBy } = query;
    const [first, second] = [GROUPS[by], thenBy && GROUPS[thenBy]];
    const columns = Prisma.raw([...new Set([first.column, ...(second ? [second.column] : [])])].join(', '));
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT ${first.name} AS "group", ${second ? second.name : Prisma.sql`NULL::text`} AS then_group, ${SUMS} FROM (
        SELECT ${columns}, ${SUMS} FROM usage_hours
        WHERE project_id = ${projectRowId}::uuid AND hour >= ${from}::timestamptz AND hour < ${to}::timestamptz
        GROUP BY ${columns}
      ) AS sums GROUP BY 1, 2 ORDER BY 1, 2 ${second ? Prisma.sql`LIMIT ${MAX_ROWS + 1}` : Prisma.empty}`;
    return rows.map(({ group, then_group, cost_nano_usd, ...row }) => ({
      ...{ group, thenGroup: then_group },
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

type Row = Record<(typeof COLUMNS)[number], bigint> & { group: string; then_group: string | null };

const SUMS = Prisma.raw(COLUMNS.map((column) => `sum(${column})::bigint AS ${column}`).join(', '));

const GROUPS: Record<UsageGroup, { column: 'hour' | 'model' | 'key_id'; name: Prisma.Sql }> = {
  hour: { column: 'hour', name: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24":00:00.000Z"')` },
  day: { column: 'hour', name: Prisma.sql`to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')` },
  model: { column: 'model', name: Prisma.sql`model` },
  key: { column: 'key_id', name: Prisma.sql`key_id::text` },
  // A key has one user for ever.
  user: {
    column: 'key_id',
    name: Prisma.sql`coalesce((SELECT user_id FROM api_keys WHERE id = key_id), key_id)::text`,
  },
};
