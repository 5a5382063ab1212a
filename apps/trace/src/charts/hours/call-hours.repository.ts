import { IS_SHOWN, STATUS } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { MODEL_TOKENS } from '../../calls/derived/model-tokens.sql.js';
import { LATENCY_MS, latencyKey } from './latency-sketch.sql.js';

/** Any number, the same in every process: one of them sums up hours, the others find nothing to do. */
const HOURS_LOCK = 4_663_050;
/** Hours that are summed up in one transaction. */
export const HOURS_BATCH = 24;
/** Hours that were written to less long ago are left: they will be written to again. */
const QUIET_SECONDS = 60;
/** Marks of an hour that become one. */
const MANY_MARKS = 50;

interface MarkedHour {
  projectId: string;
  hour: Date;
}

/** Sums of hours, which charts read in place of calls. */
@Injectable()
export class CallHoursRepository {
  constructor(private readonly database: Database) {}

  /**
   * Sums up some of the hours that have changed, and are no longer being written to.
   *
   * @param quietSeconds how long they must not have changed
   * @returns how many; fewer than {@link HOURS_BATCH}: no other is left; null: another process is at it
   */
  async sumUpBatch(quietSeconds = QUIET_SECONDS): Promise<number | null> {
    return this.exclusively(async () => {
      const hours = await this.database.client.$queryRaw<MarkedHour[]>`
        SELECT project_id AS "projectId", hour FROM call_hour_changes GROUP BY 1, 2
        HAVING max(changed_at) <= now() - make_interval(secs => ${quietSeconds}::int)
        ORDER BY 2 DESC LIMIT ${HOURS_BATCH}`;
      if (hours.length === 0) return 0;
      const columns = [hours.map(({ projectId }) => projectId), hours.map(({ hour }) => hour)] as const;
      // In this order: whoever commits between two of these statements leaves a mark, and the hour is summed up again.
      await this.deleteMarks(...columns);
      await this.replaceSums(...columns);
      return hours.length;
    });
  }

  /** Leaves one mark of each hour that has many. */
  async joinMarks(): Promise<void> {
    await this.exclusively(async () => {
      await this.database.client.$executeRaw`
        WITH many AS (
          SELECT project_id, hour FROM call_hour_changes GROUP BY 1, 2 HAVING count(*) >= ${MANY_MARKS}),
        gone AS (
          DELETE FROM call_hour_changes m USING many WHERE m.project_id = many.project_id AND m.hour = many.hour
          RETURNING m.project_id, m.hour, m.changed_at)
        INSERT INTO call_hour_changes (project_id, hour, changed_at)
        SELECT project_id, hour, max(changed_at) FROM gone GROUP BY 1, 2`;
      return 0;
    });
  }

  private exclusively(work: () => Promise<number>): Promise<number | null> {
    return this.database.transaction(async () => {
      const [lock] = await this.database.client.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${HOURS_LOCK}) AS "isMine"`;
      return lock?.isMine ? work() : null;
    });
  }

  private async deleteMarks(projects: readonly string[], hours: readonly Date[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM call_hour_changes m USING unnest(${projects}::uuid[], ${hours}::timestamptz[]) AS h (p, hour)
      WHERE m.project_id = h.p AND m.hour = h.hour`;
  }

  private async replaceSums(projects: readonly string[], hours: readonly Date[]): Promise<void> {
    const meant = Prisma.sql`unnest(${projects}::uuid[], ${hours}::timestamptz[]) AS h (p, hour)`;
    await this.database.client.$executeRaw`
      DELETE FROM call_hours r USING ${meant} WHERE r.project_id = h.p AND r.hour = h.hour`;
    await this.database.client.$executeRaw`
      WITH call AS MATERIALIZED (
        SELECT c.project_id, h.hour, c.op_name, u.model, ${STATUS} AS status, (c.parent_id IS NULL OR c.is_orphan) AS is_root,
          coalesce(u.place, 1) = 1 AS is_first, ${LATENCY_MS} AS ms, u.requests, u.prompt, u.completion, u.total, u.cached, u.written,
          u.reasoning
        FROM ${meant} CROSS JOIN LATERAL (
          -- OFFSET: Postgres takes an hour for a ninth of all calls, and would read them all instead of those of each hour.
          SELECT * FROM calls c WHERE c.project_id = h.p AND c.started_at >= h.hour AND c.started_at < h.hour + interval '1 hour'
            AND ${IS_SHOWN} OFFSET 0) c LEFT JOIN LATERAL ${MODEL_TOKENS} u ON true),
      bins AS (
        SELECT project_id, hour, op_name, model, status, is_root, array_agg(key ORDER BY key) AS keys, array_agg(n ORDER BY key) AS counts
        FROM (
          SELECT project_id, hour, op_name, model, status, is_root, ${latencyKey(Prisma.sql`ms`)} AS key, count(*) AS n
          FROM call WHERE is_first AND ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7) counted
        GROUP BY 1, 2, 3, 4, 5, 6),
      sums AS (
        SELECT project_id, hour, op_name, model, status, is_root, count(*) FILTER (WHERE is_first) AS calls,
          count(ms) FILTER (WHERE is_first) AS ended, coalesce(sum(ms) FILTER (WHERE is_first), 0) AS ms, coalesce(sum(requests), 0) AS requests,
          coalesce(sum(prompt), 0) AS prompt, coalesce(sum(completion), 0) AS completion, coalesce(sum(total), 0) AS total,
          coalesce(sum(cached), 0) AS cached, coalesce(sum(written), 0) AS written, coalesce(sum(reasoning), 0) AS reasoning
        FROM call GROUP BY 1, 2, 3, 4, 5, 6)
      INSERT INTO call_hours (project_id, hour, op_name, model, status, is_root, calls, ended, latency_ms, latency_keys, latency_counts,
        requests, prompt_tokens, completion_tokens, total_tokens, cached_tokens, cache_write_tokens, reasoning_tokens)
      SELECT s.project_id, s.hour, s.op_name, s.model, s.status, s.is_root, s.calls, s.ended, s.ms, coalesce(b.keys, '{}'), coalesce(b.counts, '{}'),
        s.requests, s.prompt, s.completion, s.total, s.cached, s.written, s.reasoning
      FROM sums s LEFT JOIN bins b ON (b.project_id, b.hour, b.op_name, b.status, b.is_root) = (s.project_id, s.hour, s.op_name, s.status, s.is_root)
        AND b.model IS NOT DISTINCT FROM s.model`;
  }
}
