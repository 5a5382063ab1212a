import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class UsageDriftRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts the hourly sums (of one project, model and key) of a UTC day that differ from the sums of that day's records;
   * 0: no drift. The day's partition must exist.
   */
  async countWrongHours(day: string): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ wrong: bigint }[]>`
      WITH counted AS (
        SELECT project_id, date_trunc('hour', started_at, 'UTC') AS hour, coalesce(model_answered, model_asked) AS model,
          key_id, count(*) AS requests, count(*) FILTER (WHERE status = 'error') AS errors,
          count(*) FILTER (WHERE status = 'aborted') AS aborted, sum(prompt_tokens) AS prompt_tokens,
          sum(cached_tokens) AS cached_tokens, sum(completion_tokens) AS completion_tokens,
          sum(reasoning_tokens) AS reasoning_tokens, sum(cost_nano_usd) AS cost_nano_usd
        FROM usage_records WHERE day = ${day}::date GROUP BY project_id, hour, model, key_id
      ), kept AS (
        SELECT * FROM usage_hours
        WHERE hour >= ${day}::timestamp AT TIME ZONE 'UTC' AND hour < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
      )
      SELECT count(*) AS wrong FROM counted c FULL JOIN kept k USING (project_id, hour, model, key_id)
      WHERE (c.requests, c.errors, c.aborted, c.prompt_tokens, c.cached_tokens, c.completion_tokens, c.reasoning_tokens,
          c.cost_nano_usd)
        IS DISTINCT FROM (k.requests, k.errors, k.aborted, k.prompt_tokens, k.cached_tokens, k.completion_tokens,
          k.reasoning_tokens, k.cost_nano_usd)`;
    return Number(row?.wrong ?? 0);
  }

  /** Counts the monthly sums of keys and projects that differ from the hourly sums. @param month its first day */
  async countWrongMonths(month: string): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ wrong: bigint }[]>`
      WITH counted AS (
        SELECT subject.scope, subject.id AS subject_id, sum(cost_nano_usd) AS cost_nano_usd
        FROM usage_hours, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id)
        WHERE hour >= ${month}::timestamp AT TIME ZONE 'UTC'
          AND hour < (${month}::date + interval '1 month') AT TIME ZONE 'UTC' AND cost_nano_usd > 0
        GROUP BY subject.scope, subject.id
      ), kept AS (SELECT * FROM usage_months WHERE month = ${month}::date)
      SELECT count(*) AS wrong FROM counted c FULL JOIN kept k USING (scope, subject_id)
      WHERE c.cost_nano_usd IS DISTINCT FROM k.cost_nano_usd`;
    return Number(row?.wrong ?? 0);
  }
}
