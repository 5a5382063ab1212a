import type { TokenPrice } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type ChartQuery, chartRows, judgementRows, keyOf, latencyRows } from './chart-rows.sql.js';
import { latencyOfKey } from './hours/latency-sketch.sql.js';

/** A model in a time during which no price changes. */
export interface PricedModel {
  model: string;
  /** Place of the time among those between changes of prices, from 0. */
  epoch: number;
  price: TokenPrice;
}

/** Sums of calls. */
export interface Sums {
  calls: number;
  errors: number;
  ended: number;
  ms: number;
  requests: number;
  prompt: number;
  completion: number;
  total: number;
  cached: number;
  written: number;
  reasoning: number;
  cost: number;
  up: number;
  down: number;
  ratings: number;
  rated: number;
}

/** Sums of one series in one bucket. Neither place nor time: of all calls; no time: of the series. */
export interface ChartSums extends Sums, ChartPlace {}

/** Quantiles of latencies. */
export interface ChartLatencies extends ChartPlace {
  /** In ms, as they were asked for. */
  latencies: number[];
}

interface ChartPlace {
  /** Among the series, from 1; what is beyond the limit is one more than it. Null: all calls. */
  place: number | null;
  /** Start of the bucket. Null: the whole time. */
  timestamp: Date | null;
}

/** A series: values of its groups. */
export interface ChartKey {
  place: number;
  key: string;
}

/** What series are ordered by. */
export type Rank = keyof Sums;

const CALLS = [
  'calls',
  'errors',
  'ended',
  'ms',
  'requests',
  'prompt',
  'completion',
  'total',
  'cached',
  'written',
  'reasoning',
] as const;
const JUDGED = ['up', 'down', 'ratings', 'rated'] as const;
const SUMS: readonly (keyof Sums)[] = [...CALLS, 'cost', ...JUDGED];

const sums = (names: readonly string[], of = (name: string) => name) =>
  Prisma.raw(names.map((name) => `coalesce(sum(${of(name)}), 0)::float8 AS ${name}`).join(', '));
const nothing = (names: readonly string[]) => Prisma.raw(names.map((name) => `0::float8 AS ${name}`).join(', '));

/** As `tokenCosts` computes it, of sums: parts are cut to their wholes already. */
const COST = Prisma.sql`coalesce((prompt - cached - written) * per_prompt + cached * per_cached + written * per_written
  + (completion - reasoning) * per_completion + reasoning * per_reasoning, 0)`;

/** Reads the figures of charts. */
@Injectable()
export class ChartsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Sums of all calls, of each series, and of each bucket of each series; the keys of the series; and the models that are
   * used.
   *
   * @param prices of models; the others cost nothing
   */
  async sums(
    query: ChartQuery,
    prices: readonly PricedModel[],
    { rank, limit, isJudged }: { rank: Rank; limit: number; isJudged: boolean },
  ): Promise<{ sums: ChartSums[]; keys: ChartKey[]; models: string[] }> {
    const rows = await this.database.client.$queryRaw<(ChartSums & { key: string | null; models: string[] | null })[]>`
      WITH used AS MATERIALIZED (
        SELECT bucket, g1, g2, model, epoch, ${sums(CALLS)} FROM (${chartRows(query)}) call GROUP BY 1, 2, 3, 4, 5),
      cell AS MATERIALIZED (${this.cells(query, prices, isJudged)}),
      placed AS MATERIALIZED (
        SELECT key, least(row_number() OVER (ORDER BY sum(${Prisma.raw(rank)}) DESC, key COLLATE "C"), ${limit + 1})::int AS place
        FROM cell GROUP BY key)
      SELECT placed.place, cell.timestamp, CASE WHEN placed.place <= ${limit} THEN min(cell.key) END AS key,
        CASE WHEN GROUPING(placed.place) = 1 THEN ARRAY(SELECT DISTINCT model FROM used WHERE model IS NOT NULL) END AS models, ${sums(SUMS, (name) => `cell.${name}`)}
      FROM cell JOIN placed USING (key) GROUP BY GROUPING SETS ((), (placed.place), (placed.place, cell.timestamp))
      ORDER BY 1 NULLS FIRST, 2 NULLS FIRST`;
    const keys = rows.flatMap(({ place, timestamp, key }) =>
      place !== null && timestamp === null && key !== null ? [{ place, key }] : [],
    );
    return { sums: rows, keys, models: rows.find(({ models }) => models !== null)?.models ?? [] };
  }

  /** Quantiles of latencies, of the same. @param quantiles from 0 to 1 */
  async latencies(
    query: ChartQuery,
    keys: readonly ChartKey[],
    quantiles: readonly number[],
    limit: number,
  ): Promise<ChartLatencies[]> {
    const rows = await this.database.client.$queryRaw<(ChartPlace & { keys: number[] })[]>`
      WITH cell AS (
        SELECT timestamp, place, key, sum(n) AS n FROM (
          SELECT bucket AS timestamp, coalesce(p.place, ${limit + 1}::int) AS place, unnest(latency_keys) AS key, unnest(latency_counts)::float8 AS n
          FROM (${latencyRows(query)}) call
          LEFT JOIN unnest(${keys.map(({ place }) => place)}::int[], ${keys.map(({ key }) => key)}::text[]) AS p (place, series)
            ON p.series = ${keyOf(query.groups)}) binned
        GROUP BY 1, 2, 3),
      bins AS (SELECT place, timestamp, key, sum(n) AS n FROM cell GROUP BY GROUPING SETS ((key), (place, key), (place, timestamp, key))),
      counted AS (
        SELECT place, timestamp, key, sum(n) OVER (PARTITION BY place, timestamp ORDER BY key) AS below,
          sum(n) OVER (PARTITION BY place, timestamp) AS total
        FROM bins)
      SELECT place, timestamp, ARRAY[${Prisma.join(
        quantiles.map((quantile) => Prisma.sql`min(key) FILTER (WHERE below >= ${quantile}::float8 * total)`),
      )}] AS keys
      FROM counted GROUP BY 1, 2`;
    return rows.map(({ keys: bins, ...place }) => ({ ...place, latencies: bins.map(latencyOfKey) }));
  }

  /** Sums of the part `used` by bucket and key, with costs. */
  private cells(query: ChartQuery, prices: readonly PricedModel[], isJudged: boolean): Prisma.Sql {
    const key = keyOf(query.groups);
    const calls = Prisma.sql`
      SELECT bucket AS timestamp, ${key} AS key, ${sums(CALLS)}, sum(${COST})::float8 AS cost, ${nothing(JUDGED)} FROM used
      LEFT JOIN json_to_recordset(${pricesJson(prices)}::json)
        AS price (name text, epoch int, per_prompt float8, per_cached float8, per_written float8, per_completion float8, per_reasoning float8)
        ON price.name = used.model AND price.epoch = used.epoch
      GROUP BY 1, 2`;
    if (!isJudged) return calls;
    return Prisma.sql`
      SELECT timestamp, key, ${sums(SUMS)} FROM (
        ${calls} UNION ALL
        SELECT bucket, ${key}, ${nothing([...CALLS, 'cost'])}, ${sums(JUDGED)} FROM (
          SELECT bucket, g1, g2, ${sums(JUDGED)} FROM (${judgementRows(query)}) judged GROUP BY 1, 2, 3) used
        GROUP BY 1, 2) both_kinds
      GROUP BY 1, 2`;
  }
}

const pricesJson = (prices: readonly PricedModel[]): string =>
  JSON.stringify(
    prices.map(({ model, epoch, price }) => ({
      ...{ name: model, epoch, per_prompt: price.promptTokenCost, per_completion: price.completionTokenCost },
      per_cached: price.cacheReadInputTokenCost ?? price.promptTokenCost,
      per_written: price.cacheCreationInputTokenCost ?? price.promptTokenCost,
      per_reasoning: price.reasoningTokenCost ?? price.completionTokenCost,
    })),
  );
