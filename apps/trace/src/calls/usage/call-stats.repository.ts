import { Injectable } from '@nestjs/common';
import { type CallSelection, fromSelection } from '@hone/call-queries';
import type { CallStatsBucketDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';

import { bucketOf, isWithin, type TimeRange } from '../../time-buckets/time-buckets.sql.js';

interface BucketRow {
  timestamp: Date;
  count: bigint;
  errors: bigint;
  avgMs: number | null;
  percentilesMs: number[] | null;
}

interface UsageRow {
  timestamp: Date;
  model: string;
  requests: unknown;
  promptTokens: unknown;
  completionTokens: unknown;
  totalTokens: unknown;
  cost: number | null;
}

/** Counts calls by time. */
@Injectable()
export class CallStatsRepository {
  constructor(private readonly database: Database) {}

  /** Buckets that have calls, oldest first. */
  async list(selection: CallSelection, range: TimeRange): Promise<CallStatsBucketDto[]> {
    const [buckets, usage] = [await this.#buckets(selection, range), await this.#usage(selection, range)];
    const models = new Map<number, Record<string, Record<string, number>>>();
    for (const row of usage) {
      const ofBucket = models.get(row.timestamp.getTime()) ?? Object.create(null);
      ofBucket[row.model] = {
        requests: Number(row.requests),
        prompt_tokens: Number(row.promptTokens),
        completion_tokens: Number(row.completionTokens),
        total_tokens: Number(row.totalTokens),
        ...(row.cost !== null && { total_cost: row.cost }),
      };
      models.set(row.timestamp.getTime(), ofBucket);
    }
    return buckets.map((row) => ({
      timestamp: row.timestamp.toISOString(),
      count: Number(row.count),
      error_count: Number(row.errors),
      avg_latency_ms: row.avgMs,
      p50_latency_ms: row.percentilesMs?.[0] ?? null,
      p95_latency_ms: row.percentilesMs?.[1] ?? null,
      p99_latency_ms: row.percentilesMs?.[2] ?? null,
      usage: models.get(row.timestamp.getTime()) ?? {},
    }));
  }

  #buckets(selection: CallSelection, range: TimeRange): Promise<BucketRow[]> {
    const latencyMs = Prisma.sql`(extract(epoch FROM c.ended_at - c.started_at) * 1000)::float8`;
    return this.database.client.$queryRaw<BucketRow[]>`
      SELECT ${bucketOf(STARTED_AT, range)} AS timestamp, count(*) AS count, count(c.exception) AS errors, avg(${latencyMs}) AS "avgMs",
        percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ${latencyMs}) AS "percentilesMs"
      ${fromSelection(selection)} AND ${isWithin(STARTED_AT, range)} GROUP BY 1 ORDER BY 1`;
  }

  /**
   * A call whose summary counts more calls than itself sums its descendants, which are counted themselves. Most count
   * none, and to sum nothing of each of them would take a fifth of the time.
   */
  #usage(selection: CallSelection, range: TimeRange): Promise<UsageRow[]> {
    const tokens = (...names: string[]) =>
      Prisma.sql`coalesce(${Prisma.join([...names.map(numberOf), Prisma.sql`0`])})`;
    return this.database.client.$queryRaw<UsageRow[]>`
      SELECT timestamp, model, sum(requests) AS requests, sum(prompt) AS "promptTokens", sum(completion) AS "completionTokens",
        sum(coalesce(total, prompt + completion)) AS "totalTokens",
        sum(prompt::float8 * price.prompt_token_cost + completion::float8 * price.completion_token_cost) AS cost
      FROM (
        SELECT ${bucketOf(STARTED_AT, range)} AS timestamp, c.project_id, c.started_at, u.key AS model, ${tokens('requests')} AS requests,
          ${tokens('prompt_tokens', 'input_tokens')} AS prompt, ${tokens('completion_tokens', 'output_tokens')} AS completion,
          ${numberOf('total_tokens')} AS total
        ${fromSelectionWithUsage(selection)} AND ${isWithin(STARTED_AT, range)} AND jsonb_typeof(u.value) = 'object'
          AND (used.summary -> 'status_counts' IS NULL OR coalesce((
            SELECT sum(n.value::numeric) FROM jsonb_each(${objectOf(Prisma.sql`used.summary -> 'status_counts'`)}) n
            WHERE jsonb_typeof(n.value) = 'number'), 0) <= 1)
      ) call LEFT JOIN LATERAL (
        SELECT p.prompt_token_cost, p.completion_token_cost FROM costs p
        WHERE p.project_id = call.project_id AND p.model = call.model AND p.effective_date <= call.started_at
        ORDER BY p.effective_date DESC LIMIT 1
      ) price ON true
      GROUP BY 1, 2 ORDER BY 1, 2`;
  }
}

const STARTED_AT = Prisma.sql`c.started_at`;

const objectOf = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(${json}) WHEN 'object' THEN ${json} ELSE '{}'::jsonb END)`;

const numberOf = (name: string): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(u.value -> ${name}) WHEN 'number' THEN (u.value -> ${name})::numeric END)`;

/** The calls that used models, with `u` for each of these. Of the others, most spans of a trace, no JSON is parsed. */
const fromSelectionWithUsage = (selection: CallSelection): Prisma.Sql =>
  fromSelection(
    selection,
    Prisma.sql`JOIN LATERAL (
        SELECT coalesce(s.summary_json, s.summary_text::jsonb) AS summary FROM call_values s
        WHERE s.project_id = c.project_id AND s.id = c.id
          AND (s.summary_json -> 'usage' IS NOT NULL OR s.summary_text LIKE '%"usage"%')
        LIMIT 1
      ) used ON true CROSS JOIN LATERAL jsonb_each(${objectOf(Prisma.sql`used.summary -> 'usage'`)}) u`,
  );
