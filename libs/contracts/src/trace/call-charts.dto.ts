import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsText, IsTextList, listRule, wordRule } from '../validation/rules.js';
import { CallFilterDto } from './call-queries.dto.js';
import { CallConditionDto } from './query.dto.js';

/** What a chart may show. */
export const CHART_MEASURES = [
  'calls',
  'errors',
  'error_rate',
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'cost',
  'avg_latency_ms',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
  'thumbs_up',
  'thumbs_down',
  'thumbs_down_rate',
  'ratings',
  'avg_rating',
] as const;
export type ChartMeasure = (typeof CHART_MEASURES)[number];

/** By what a chart may tell calls apart. */
export const CHART_GROUPS = [
  'model',
  'op',
  'status',
  'error_class',
  'user',
  'thread',
  'prompt',
  'checkpoint',
  'scorer',
] as const;
export type ChartGroup = (typeof CHART_GROUPS)[number];

const IsMeasures = (): PropertyDecorator => fromRule(listRule(wordRule(CHART_MEASURES), { min: 1, max: 20 }));
const IsGroups = (): PropertyDecorator => fromRule(listRule(wordRule(CHART_GROUPS), { max: 2 }));
const NUMBERS_OR_NULL = { type: ['number', 'null'] } as const;

/** Body of `POST /calls/charts`. */
@Example({
  project_id: 'acme/demo',
  start: '2026-01-01T00:00:00Z',
  end: '2026-02-01T00:00:00Z',
  granularity: 86_400,
  timezone: 'Europe/Berlin',
  measures: ['cost', 'calls'],
  group_by: ['model'],
})
export class CallChartsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Start of the time that is counted, ISO 8601, included. A call belongs to the time at which it began. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601, excluded. Absent or null: now. */
  @IsOptional() @IsDateTime() end?: string | null;
  /**
   * Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60,
   * 300, 900, 3600, 21600 and 86400 with at most 200 buckets.
   */
  @IsOptional() @IsInteger({ min: 1, max: 31_536_000 }) granularity?: number | null;
  /** Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`. */
  @IsOptional() @IsText({ min: 1, max: 64 }) timezone?: string | null;
  /** What is shown, 1 to 20. Series are ordered by the total of the first, the largest first. */
  @IsMeasures() measures!: ChartMeasure[];
  /**
   * What calls are told apart by, at most 2: each combination of values is a series. `op` is a function whatever its
   * version; `error_class` is the kind of a failure; `user` is the person that a call was made for; `scorer` is the name of a rating, and goes with `ratings` and
   * `avg_rating` alone. Absent, null or empty: one series of all.
   */
  @IsOptional() @IsGroups() group_by?: ChartGroup[] | null;
  /** Most series to answer, 1 to 50; all others are summed up in `other`. Absent or null: 10. */
  @IsOptional() @IsInteger({ min: 1, max: 50 }) limit?: number | null;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
}

/** A line of a chart. */
export class ChartSeriesDto {
  /** Group -> its value, which an expression or filter takes. Null: the calls have none. Of an op: `<ref>:*`. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: ['string', 'null'] } })
  key!: Record<string, string | null>;
  /** Measure -> its value over the whole time. Null: there is nothing that it could be computed of. */
  @IsJsonValue({ type: 'object', additionalProperties: NUMBERS_OR_NULL })
  totals!: Record<string, number | null>;
  /** Measure -> its value in each bucket, in the order of `timestamps`. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'array', items: NUMBERS_OR_NULL } })
  values!: Record<string, (number | null)[]>;
}

/** Answer of `POST /calls/charts`. */
export class CallChartsResultDto {
  /** Start of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() end!: string;
  /** Seconds of a bucket. */
  @IsInteger({ min: 1 }) granularity!: number;
  /** Time zone in which buckets begin. */
  @IsText() timezone!: string;
  /** Start of each bucket that has calls or judgements of calls, ISO 8601 in UTC, oldest first. */
  @IsTextList() timestamps!: string[];
  /** The largest series. Latencies are within 1 % where sums of hours were read, costs in US dollars. */
  @NestedList(() => ChartSeriesDto) series!: ChartSeriesDto[];
  /** All other calls, without a key. Null: there are none. */
  @IsOptional() @Nested(() => ChartSeriesDto) other!: ChartSeriesDto | null;
  /** Measure -> its value over all calls and the whole time. */
  @IsJsonValue({ type: 'object', additionalProperties: NUMBERS_OR_NULL })
  totals!: Record<string, number | null>;
  /**
   * Calls of the project, at most 10,000, that an earlier version stored and whose users, prompts, checkpoints and kinds
   * of failures are still being read: series of these may miss them until this is 0. All else counts them already.
   */
  @IsInteger({ min: 0, max: 10_000 }) pending_calls!: number;
}
