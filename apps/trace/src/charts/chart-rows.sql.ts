import { type CallSelection, filterConditions, fromSelection, IS_SHOWN, STATUS } from '@hone/call-queries';
import { MODEL_TOKENS } from '@hone/calls';
import type { ChartGroup } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { bucketOf, isWithin, type TimeRange } from '../time-buckets/time-buckets.sql.js';
import type { ChartSources, Window } from './chart-windows.repository.js';
import { hoursOfSums } from './hours/hours-of-sums.sql.js';
import { LATENCY_MS, latencyKey } from './hours/latency-sketch.sql.js';

/** What is read for a chart. */
export interface ChartQuery {
  selection: CallSelection;
  range: TimeRange;
  groups: readonly ChartGroup[];
  sources: ChartSources;
  /** When prices change, in order; none where costs are not asked for. */
  changes: readonly Date[];
}

/** An op whatever its version, as a filter of calls takes it: what follows the last colon of a ref, without a slash. */
const opOf = (name: string) =>
  `(CASE WHEN ${name} LIKE '%:///%' AND strpos(reverse(${name}), ':') < strpos(reverse(${name}), '/')
    THEN left(${name}, -strpos(reverse(${name}), ':')) || ':*' ELSE ${name} END)`;
const NONE = Prisma.sql`NULL::text`;

/** What each group is in sums `c`; absent: the sums do not tell. */
const OF_SUMS: Partial<Record<ChartGroup, Prisma.Sql>> = {
  model: Prisma.sql`c.model`,
  op: Prisma.sql`c.op_name`,
  status: Prisma.sql`c.status`,
};
/** The same in calls `c` with their models `u`. */
const OF_CALLS: Record<ChartGroup, Prisma.Sql> = {
  model: Prisma.sql`u.model`,
  op: Prisma.sql`c.op_name`,
  status: STATUS,
  error_class: Prisma.sql`c.error_class`,
  user: Prisma.sql`c.end_user`,
  thread: Prisma.sql`c.thread_id`,
  prompt: Prisma.sql`c.prompt_ref`,
  checkpoint: Prisma.sql`c.checkpoint_id`,
  scorer: NONE,
};

/** Whether sums of hours have what a chart asks of calls. */
export function mayReadHours({ filter, condition }: CallSelection, groups: readonly ChartGroup[]): boolean {
  const { op_names: _ops, trace_roots_only: _roots, ...others } = filter ?? {};
  const isFiltered = Object.values(others).some((value) => Array.isArray(value) && value.length > 0);
  return condition === undefined && !isFiltered && groups.every((group) => group in OF_SUMS);
}

/** The groups as columns `g1` and `g2`. */
const groupColumns = (groups: readonly ChartGroup[], of: Partial<Record<ChartGroup, Prisma.Sql>>): Prisma.Sql =>
  Prisma.sql`${(groups[0] && of[groups[0]]) ?? NONE} AS g1, ${(groups[1] && of[groups[1]]) ?? NONE} AS g2`;

/** The key of a series, of `g1` and `g2`: these tell versions of an op apart. */
export const keyOf = (groups: readonly ChartGroup[]): Prisma.Sql => {
  const [first, second] = [0, 1].map((at) => (groups[at] === 'op' ? opOf(`g${at + 1}`) : `g${at + 1}`));
  return Prisma.raw(`jsonb_build_array(${first}, ${second})::text`);
};

/** Bucket of a time, and its place among the times between changes of prices. */
const placeOf = (time: Prisma.Sql, { range, changes }: ChartQuery): Prisma.Sql =>
  Prisma.sql`${bucketOf(time, range)} AS bucket, width_bucket(${time}, ${changes}::timestamptz[]) AS epoch`;

/**
 * Rows that a chart sums up: `bucket`, `epoch` (place among the times between changes of prices, from 0), `g1`, `g2`,
 * `model`, `calls`, `errors`, `ended`, `ms`, `requests` and tokens.
 */
export function chartRows(query: ChartQuery): Prisma.Sql {
  const { selection, groups, sources } = query;
  const calls = Prisma.sql`
    SELECT ${placeOf(Prisma.sql`c.started_at`, query)}, ${groupColumns(groups, OF_CALLS)}, u.model, (coalesce(u.place, 1) = 1)::int AS calls,
      (coalesce(u.place, 1) = 1 AND c.exception IS NOT NULL)::int AS errors, (coalesce(u.place, 1) = 1 AND c.ended_at IS NOT NULL)::int AS ended,
      CASE WHEN coalesce(u.place, 1) = 1 THEN coalesce(${LATENCY_MS}, 0) ELSE 0 END AS ms, u.requests, u.prompt, u.completion, u.total,
      u.cached, u.written, u.reasoning
    ${fromWindows(selection, sources, Prisma.sql`LEFT JOIN LATERAL ${MODEL_TOKENS} u ON true`)}`;
  if (sources.readHours === null) return calls;
  return Prisma.sql`
    SELECT t.bucket, t.epoch, ${groupColumns(groups, OF_SUMS)}, c.model, c.calls::float8 AS calls,
      CASE WHEN c.status = 'error' THEN c.calls ELSE 0 END::float8 AS errors, c.ended::float8 AS ended, c.latency_ms AS ms, c.requests,
      c.prompt_tokens AS prompt, c.completion_tokens AS completion, c.total_tokens AS total, c.cached_tokens AS cached,
      c.cache_write_tokens AS written, c.reasoning_tokens AS reasoning
    ${fromSums(query, sources.readHours)}
    UNION ALL ${calls}`;
}

/** Rows of latencies: `bucket`, `g1`, `g2`, `latency_keys` of bins, and `latency_counts`, how many calls are in each. */
export function latencyRows(query: ChartQuery): Prisma.Sql {
  const { selection, range, groups, sources } = query;
  const first = Prisma.sql`LEFT JOIN LATERAL (SELECT c.model) u ON true`;
  const calls = Prisma.sql`
    SELECT ${bucketOf(Prisma.sql`c.started_at`, range)} AS bucket, ${groupColumns(groups, OF_CALLS)},
      ARRAY[${latencyKey(LATENCY_MS)}] AS latency_keys, ARRAY[1]::bigint[] AS latency_counts
    ${fromWindows(selection, sources, first)} AND c.ended_at IS NOT NULL`;
  if (sources.readHours === null) return calls;
  return Prisma.sql`
    SELECT t.bucket, ${groupColumns(groups, OF_SUMS)}, c.latency_keys, c.latency_counts ${fromSums(query, sources.readHours)}
    UNION ALL ${calls}`;
}

/** Rows of judgements (which may come a day before the start of their call, by clocks that differ): `bucket` of their call, `g1`, `g2`, `up`, `down`, `ratings` and the sum `rated` of these. */
export function judgementRows({ selection, range, groups }: ChartQuery): Prisma.Sql {
  const prefix = `${selection.projectId}/call/`;
  const judged = Prisma.sql`JOIN feedback f ON f.project_id = c.project_id AND c.id = substr(f.trace_ref, ${prefix.length + 1}::int)
      AND starts_with(f.trace_ref, ${prefix}) AND f.created_at >= ${range.start}::timestamptz - interval '1 day'
    LEFT JOIN LATERAL (
      SELECT key, (value #>> '{}')::float8 AS value, row_number() OVER () AS place FROM jsonb_each(f.scorer_ratings)
      WHERE jsonb_typeof(value) = 'number') r ON true
    LEFT JOIN LATERAL (SELECT c.model) u ON true`;
  const isReaction = (emoji: string) =>
    Prisma.sql`(coalesce(r.place, 1) = 1 AND f.feedback_type = 'hone.reaction.1' AND coalesce(f.payload_json ->> 'detoned', f.payload_json ->> 'emoji') = ${emoji})::int`;
  return Prisma.sql`
    SELECT ${bucketOf(Prisma.sql`c.started_at`, range)} AS bucket, ${groupColumns(groups, { ...OF_CALLS, scorer: Prisma.sql`r.key` })}, ${isReaction('👍')} AS up,
      ${isReaction('👎')} AS down, (r.key IS NOT NULL)::int AS ratings, coalesce(r.value, 0) AS rated
    ${fromSelection(selection, judged)} AND ${isWithin(Prisma.sql`c.started_at`, range)}`;
}

/**
 * Sums `c`, with the bucket of their time `t`: of whole days, where all hours of a day are read and have one bucket and one
 * time between changes of prices, and of the other hours. OFFSET: each is looked up by the index, as Postgres would else read
 * all sums.
 */
function fromSums(query: ChartQuery, readHours: readonly Date[]): Prisma.Sql {
  const { selection, range } = query;
  const { op_names, trace_roots_only } = selection.filter ?? {};
  const conditions = filterConditions({
    filter: { op_names } as CallSelection['filter'],
    refScheme: selection.refScheme,
  });
  if (trace_roots_only) conditions.push(Prisma.sql`c.is_root`);
  return Prisma.sql`
    FROM (
      WITH hour AS MATERIALIZED (
        SELECT day, hour, ${placeOf(Prisma.sql`hour`, query)} FROM (${hoursOfSums(selection.projectRowId, range)}) h
        WHERE hour NOT IN (SELECT unnest(${readHours}::timestamptz[]))),
      day AS MATERIALIZED (
        SELECT day, min(bucket) AS bucket, min(epoch) AS epoch FROM hour GROUP BY day
        HAVING count(*) = 24 AND min(bucket) = max(bucket) AND min(epoch) = max(epoch))
      SELECT 'day' AS period, day AS since, bucket, epoch FROM day
      UNION ALL SELECT 'hour', hour, bucket, epoch FROM hour WHERE day NOT IN (SELECT day FROM day)) t
    CROSS JOIN LATERAL (
      SELECT * FROM call_sums c WHERE c.project_id = ${selection.projectRowId}::uuid AND c.period = t.period AND c.since = t.since OFFSET 0) c
    ${conditions.length ? Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}` : Prisma.empty}`;
}

/**
 * The calls of the windows. One window is named as it is, so that Postgres knows how much it is; of several, it would read all
 * calls instead of those of each, but for OFFSET.
 */
function fromWindows(selection: CallSelection, { windows }: ChartSources, joined: Prisma.Sql): Prisma.Sql {
  const time = Prisma.sql`c.started_at`;
  if (windows.length <= 1) {
    const [window] = windows;
    return Prisma.sql`${fromSelection(selection, joined)} AND ${window ? isWithin(time, window) : Prisma.sql`false`}`;
  }
  const column = (name: keyof Window) => windows.map((window) => window[name]);
  const within = Prisma.sql`unnest(${column('start')}::timestamptz[], ${column('end')}::timestamptz[]) AS w (s, e) CROSS JOIN LATERAL (
    SELECT * FROM calls c WHERE c.project_id = ${selection.projectRowId}::uuid AND c.started_at >= w.s AND c.started_at < w.e
      AND ${IS_SHOWN} OFFSET 0) c`;
  return fromSelection(selection, joined, within);
}
