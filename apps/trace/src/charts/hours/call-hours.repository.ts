import { IS_SHOWN, STATUS } from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

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

/** Sums of hours and of days, which charts read in place of calls. */
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

  /** Of the hours, and of the days that they are of. */
  private async replaceSums(projects: readonly string[], hours: readonly Date[]): Promise<void> {
    const times = Prisma.sql`(SELECT * FROM unnest(${projects}::uuid[], ${hours}::timestamptz[]))`;
    await this.sumUp('hour', times, PARTS_OF_HOURS);
    const days = Prisma.sql`(SELECT DISTINCT p, date_trunc('day', hour, 'UTC') FROM ${times} AS h (p, hour))`;
    await this.sumUp('day', days, PARTS_OF_DAYS);
  }

  /** @param times rows of a project and the start of a period @param parts of a time `t`: rows of what it is summed up of */
  private async sumUp(period: 'hour' | 'day', times: Prisma.Sql, parts: Prisma.Sql): Promise<void> {
    const meant = Prisma.sql`${times} AS t (p, since)`;
    await this.database.client.$executeRaw`
      DELETE FROM call_sums s USING ${meant} WHERE s.project_id = t.p AND s.period = ${period} AND s.since = t.since`;
    await this.database.client.$executeRaw`
      WITH part AS MATERIALIZED (SELECT t.p AS project_id, t.since, part.* FROM ${meant} CROSS JOIN LATERAL (${parts}) part),
      bins AS (
        SELECT ${GROUP}, array_agg(key ORDER BY key) AS keys, array_agg(n ORDER BY key) AS counts FROM (
          SELECT ${GROUP}, b.key, sum(b.n)::bigint AS n FROM part, unnest(latency_keys, latency_counts) AS b (key, n) GROUP BY ${GROUP}, b.key) binned
        GROUP BY ${GROUP}),
      sums AS (SELECT ${GROUP}, ${Prisma.raw(SUMMED.map((name) => `coalesce(sum(${name}), 0) AS ${name}`).join(', '))} FROM part GROUP BY ${GROUP})
      INSERT INTO call_sums (period, ${GROUP}, ${Prisma.raw(SUMMED.join(', '))}, latency_keys, latency_counts)
      SELECT ${period}, s.*, coalesce(b.keys, '{}'), coalesce(b.counts, '{}')
      FROM sums s LEFT JOIN bins b ON (b.project_id, b.since, b.op_name, b.status, b.is_root) = (s.project_id, s.since, s.op_name, s.status, s.is_root)
        AND b.model IS NOT DISTINCT FROM s.model`;
  }
}

const GROUP = Prisma.raw('project_id, since, op_name, model, status, is_root');
const SUMMED = [
  ...['calls', 'ended', 'latency_ms', 'requests', 'prompt_tokens', 'completion_tokens', 'total_tokens'],
  ...['cached_tokens', 'cache_write_tokens', 'reasoning_tokens'],
];

/** The calls of an hour, once for each model. OFFSET: Postgres would take an hour for a ninth of all calls, and read them all. */
const PARTS_OF_HOURS = Prisma.sql`
  SELECT op_name, model, status, is_root, is_first::int AS calls, (is_first AND ms IS NOT NULL)::int AS ended,
    CASE WHEN is_first THEN ms END AS latency_ms, requests, prompt AS prompt_tokens, completion AS completion_tokens, total AS total_tokens,
    cached AS cached_tokens, written AS cache_write_tokens, reasoning AS reasoning_tokens,
    CASE WHEN is_first AND ms IS NOT NULL THEN ARRAY[${latencyKey(Prisma.sql`ms`)}] END AS latency_keys,
    CASE WHEN is_first AND ms IS NOT NULL THEN ARRAY[1] END AS latency_counts
  FROM (
    SELECT c.op_name, ${STATUS} AS status, (c.parent_id IS NULL OR c.is_orphan) AS is_root, coalesce(u.place, 1) = 1 AS is_first,
      ${LATENCY_MS} AS ms, u.*
    FROM (
      SELECT * FROM calls c WHERE c.project_id = t.p AND c.started_at >= t.since AND c.started_at < t.since + interval '1 hour'
        AND ${IS_SHOWN} OFFSET 0) c
    LEFT JOIN LATERAL ${MODEL_TOKENS} u ON true) call`;

/** The sums of the hours of a day. */
const PARTS_OF_DAYS = Prisma.sql`
  SELECT op_name, model, status, is_root, ${Prisma.raw(SUMMED.join(', '))}, latency_keys, latency_counts
  FROM call_sums s
  WHERE s.project_id = t.p AND s.period = 'hour' AND s.since >= t.since AND s.since < t.since + interval '1 day' OFFSET 0`;
