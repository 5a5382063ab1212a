import { type CallSelection, fromSelection } from '@hone/call-queries';
import type { CallStatsBucketDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { bucketOf, isWithin, type TimeRange } from '../../time-buckets/time-buckets.sql.js';
import { usageByBucket } from './usage-buckets.js';
import { usageQuery, type UsageRow } from './usage-rows.sql.js';

interface BucketRow {
  timestamp: Date;
  count: bigint;
  errors: bigint;
  avgMs: number | null;
  percentilesMs: number[] | null;
}

/** Counts calls by time. */
@Injectable()
export class CallStatsRepository {
  constructor(private readonly database: Database) {}

  /** Buckets that have calls, oldest first. */
  async list(selection: CallSelection, range: TimeRange): Promise<CallStatsBucketDto[]> {
    const [buckets, usage] = [await this.buckets(selection, range), await this.usage(selection, range)];
    const models = usageByBucket(usage);
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

  private buckets(selection: CallSelection, range: TimeRange): Promise<BucketRow[]> {
    const latencyMs = Prisma.sql`(extract(epoch FROM c.ended_at - c.started_at) * 1000)::float8`;
    return this.database.client.$queryRaw<BucketRow[]>`
      SELECT ${bucketOf(STARTED_AT, range)} AS timestamp, count(*) AS count, count(c.exception) AS errors, avg(${latencyMs}) AS "avgMs",
        percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ${latencyMs}) AS "percentilesMs"
      ${fromSelection(selection)} AND ${isWithin(STARTED_AT, range)} GROUP BY 1 ORDER BY 1`;
  }

  private usage(selection: CallSelection, range: TimeRange): Promise<UsageRow[]> {
    return this.database.client.$queryRaw<UsageRow[]>(usageQuery(selection, range));
  }
}

const STARTED_AT = Prisma.sql`c.started_at`;
