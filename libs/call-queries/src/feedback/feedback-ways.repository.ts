import { Database, isStatementTimeout, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { FeedbackCondition, FeedbackWay } from './has-feedback.sql.js';

/** With more records that meet a condition, the calls are walked through. */
const MAX_RECORDS = 1_000;
const PROBE_TIMEOUT_MS = 1_000;

/** Chooses how calls with feedback are found. */
@Injectable()
export class FeedbackWaysRepository {
  constructor(private readonly database: Database) {}

  /** @param projectId `<entity>/<project>` */
  async choose(
    projectRowId: string,
    projectId: string,
    { condition, limitsTrace }: FeedbackCondition,
  ): Promise<FeedbackWay> {
    const found = await this.listIds(projectRowId, projectId, condition);
    if (found === null || found.length > MAX_RECORDS) return { kind: 'walk' };
    const ids = [...new Set(found)];
    return { kind: 'ids', ids, traceIds: limitsTrace ? await this.listTraces(projectRowId, ids) : [] };
  }

  private async listTraces(projectRowId: string, ids: string[]): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT c.trace_id AS id FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${ids})`;
    return rows.map(({ id }) => id);
  }

  /** The call of each record, one more than {@link MAX_RECORDS} at most. Null: that takes too long. */
  private async listIds(projectRowId: string, projectId: string, condition: Prisma.Sql): Promise<string[] | null> {
    const prefix = `${projectId}/call/`;
    try {
      const rows = await this.database.detached(() =>
        this.database.transaction(async () => {
          await this.database.client.$queryRaw`
            SELECT set_config('statement_timeout', ${String(PROBE_TIMEOUT_MS)}, true)`;
          return this.database.client.$queryRaw<{ id: string }[]>(Prisma.sql`
            SELECT substr(f.trace_ref, ${prefix.length + 1}::int) AS id
            FROM feedback f CROSS JOIN (SELECT ${projectId}::text AS project_id) AS p
            WHERE f.project_id = ${projectRowId}::uuid AND starts_with(f.trace_ref, ${prefix}) AND ${condition}
            LIMIT ${MAX_RECORDS + 1}`);
        }),
      );
      return rows.map(({ id }) => id);
    } catch (error) {
      if (isStatementTimeout(error)) return null;
      throw error;
    }
  }
}
