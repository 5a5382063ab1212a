import { parseFieldPath } from '@hone/call-queries';
import type { FeedbackAggregation } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { bucketOf, type TimeRange } from '../../time-buckets/time-buckets.sql.js';
import { type FeedbackSelection, toConditions } from './feedback-selection.sql.js';

/** A value of payloads, and what is computed of it. */
export interface Metric {
  jsonPath: string;
  valueType: 'numeric' | 'boolean' | 'categorical';
  aggregations: readonly FeedbackAggregation[];
  /** 0 to 100 each; of numbers only. */
  percentiles: readonly number[];
}

/** What was computed over a bucket, or over the whole time. */
export interface StatsRow {
  /** Null: the whole time. */
  timestamp: Date | null;
  count: number;
  /** Per metric, its aggregations and then its percentiles, in their order; null: there is no value. */
  values: (number | null)[][];
}

type Row = Record<string, unknown> & { timestamp: Date | null; isTotal: number; count: bigint };

/** Counts values of payloads by time. */
@Injectable()
export class FeedbackStatsRepository {
  constructor(private readonly database: Database) {}

  /** Buckets that have records, oldest first, then the whole time. Payloads in chunks count as records without values. */
  async list(
    projectRowId: string,
    selection: FeedbackSelection,
    range: TimeRange,
    metrics: readonly Metric[],
  ): Promise<StatsRow[]> {
    const values = metrics.map((metric, at) => Prisma.sql`, ${valueOf(metric)} AS ${nameOf('v', at)}`);
    const computed = metrics.flatMap((metric, at) => [
      ...metric.aggregations.map(
        (one, index) => Prisma.sql`, ${aggregate(metric, one, at)} AS ${nameOf(`a${at}`, index)}`,
      ),
      ...percentilesOf(metric, at),
    ]);
    const rows = await this.database.client.$queryRaw<Row[]>`
      SELECT bucket AS timestamp, GROUPING(bucket) AS "isTotal", count(*) AS count ${sequence(computed)}
      FROM (
        SELECT ${bucketOf(Prisma.sql`f.created_at`, range)} AS bucket ${sequence(values)}
        FROM feedback f WHERE f.project_id = ${projectRowId}::uuid ${toConditions(selection)}
      ) AS counted
      GROUP BY GROUPING SETS ((bucket), ()) ORDER BY 2, 1`;
    return rows.map((row) => ({
      timestamp: row.isTotal === 1 ? null : row.timestamp,
      count: Number(row.count),
      values: metrics.map((metric, at) => [
        ...metric.aggregations.map((_, index) => toNumber(row[`a${at}_${index}`])),
        ...metric.percentiles.map((_, index) => toNumber((row[`p${at}`] as unknown[] | null)?.[index])),
      ]),
    }));
  }
}

const nameOf = (prefix: string, at: number): Prisma.Sql => Prisma.raw(`${prefix}_${at}`);
const sequence = (parts: Prisma.Sql[]): Prisma.Sql => (parts.length ? Prisma.join(parts, ' ') : Prisma.empty);

/** The value of a metric in a payload; null where it is of another type. */
function valueOf({ jsonPath, valueType }: Metric): Prisma.Sql {
  const { column, path } = parseFieldPath(jsonPath);
  const json = Prisma.sql`(f.payload_json #> ${[column, ...path]}::text[])`;
  const type = Prisma.sql`jsonb_typeof(${json})`;
  switch (valueType) {
    case 'numeric':
      return Prisma.sql`CASE ${type} WHEN 'number' THEN ${json}::numeric END`;
    case 'boolean':
      return Prisma.sql`CASE ${type} WHEN 'boolean' THEN ${json}::boolean END`;
    case 'categorical':
      return Prisma.sql`CASE WHEN ${type} IN ('string', 'number', 'boolean') THEN ${json} #>> '{}' END`;
  }
}

/** Sums are exact: added as doubles, two large numbers would be an error. */
function aggregate({ valueType }: Metric, aggregation: FeedbackAggregation, at: number): Prisma.Sql {
  const value = nameOf('v', at);
  if (aggregation === 'count') return Prisma.sql`count(${value})`;
  if (aggregation === 'count_true' || aggregation === 'count_false')
    return valueType === 'boolean'
      ? Prisma.sql`count(*) FILTER (WHERE ${value} = ${aggregation === 'count_true'})`
      : Prisma.sql`NULL`;
  return valueType === 'numeric' ? Prisma.sql`${Prisma.raw(aggregation)}(${value})::text` : Prisma.sql`NULL`;
}

function percentilesOf({ valueType, percentiles }: Metric, at: number): Prisma.Sql[] {
  if (percentiles.length === 0 || valueType !== 'numeric') return [];
  const fractions = percentiles.map((percentile) => percentile / 100);
  return [
    Prisma.sql`, percentile_cont(${fractions}::float8[]) WITHIN GROUP (ORDER BY ${nameOf('v', at)}::float8) AS ${Prisma.raw(`p${at}`)}`,
  ];
}

function toNumber(value: unknown): number | null {
  const number = value === null || value === undefined ? NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
