import { Database, isStatementTimeout, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { matches, type Search, type SearchWay } from './search.sql.js';

/** Newest calls that are looked at, first the few; so many of them with the words make the words common. */
const SAMPLES = [
  { calls: 1_000, common: 50 },
  { calls: 10_000, common: 10 },
];
const MAX_IDS = 10_000;
const PROBE_TIMEOUT_MS = 1_500;

/**
 * Chooses how a search is run. The planner of Postgres cannot: it takes every word that is not among the most common ones
 * for half as common as the last of these, and then looks up a million calls for a word that five have.
 */
@Injectable()
export class SearchWaysRepository {
  constructor(private readonly database: Database) {}

  async choose(projectRowId: string, search: Search): Promise<SearchWay> {
    const [few, many] = SAMPLES as [(typeof SAMPLES)[number], (typeof SAMPLES)[number]];
    const condition = matches(search, projectRowId);
    if ((await this.countAmongNewest(projectRowId, condition, few.calls)) >= few.common) return { kind: 'walk' };
    const ids = await this.listIds(projectRowId, condition);
    if (ids === null) return { kind: 'walk' };
    if (ids.length <= MAX_IDS) return { kind: 'ids', ids };
    const count = await this.countAmongNewest(projectRowId, condition, many.calls);
    return { kind: count >= many.common ? 'walk' : 'index' };
  }

  private async countAmongNewest(projectRowId: string, condition: Prisma.Sql, calls: number): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ count: number }[]>(Prisma.sql`
      SELECT count(*)::int AS count FROM (
        SELECT c.id FROM calls c
        WHERE c.project_id = ${projectRowId}::uuid AND c.deleted_at IS NULL AND c.started_at IS NOT NULL
        ORDER BY c.started_at DESC LIMIT ${calls}) c
      CROSS JOIN LATERAL (
        SELECT FROM call_search s WHERE s.project_id = ${projectRowId}::uuid AND s.id = c.id AND ${condition} OFFSET 0) f`);
    return row?.count ?? 0;
  }

  /** Ids of the calls that are found, one more than {@link MAX_IDS} at most. Null: that takes too long. */
  private async listIds(projectRowId: string, condition: Prisma.Sql): Promise<string[] | null> {
    try {
      const rows = await this.database.detached(() =>
        this.database.transaction(async () => {
          await this.database.client.$queryRaw`
            SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
              set_config('statement_timeout', ${String(PROBE_TIMEOUT_MS)}, true)`;
          return this.database.client.$queryRaw<{ id: string }[]>(Prisma.sql`
            SELECT s.id FROM call_search s WHERE s.project_id = ${projectRowId}::uuid AND ${condition} LIMIT ${MAX_IDS + 1}`);
        }),
      );
      return rows.map(({ id }) => id);
    } catch (error) {
      if (isStatementTimeout(error)) return null;
      throw error;
    }
  }
}
