import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { IsRef } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule, NestedList } from '../validation/rule.js';
import {
  IsInteger,
  IsJsonValue,
  IsNumber,
  IsText,
  IsTextList,
  IsWord,
  listRule,
  numberRule,
  wordRule,
} from '../validation/rules.js';
import { PAYLOAD_VALUE_TYPES } from './feedback.dto.js';

export const FEEDBACK_AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'] as const;
export type FeedbackAggregation = (typeof FEEDBACK_AGGREGATIONS)[number];

const NULLABLE_NUMBERS = { type: 'object', additionalProperties: { type: ['number', 'null'] } };
const MAX_SECONDS = 31_536_000;
/** The last millisecond of the year 9999. */
const MAX_MS = 253_402_300_799_999;

/** A value of payloads that is counted. */
export class FeedbackMetricDto {
  /** Dotted path from the payload, 1 to 1,024 characters; a dot in a key is written `\.`, for example `output.score`. */
  @IsText({ min: 1, max: 1_024 }) json_path!: string;
  /**
   * Which values count: numbers (`numeric`), truth values (`boolean`), or texts, numbers and truth values
   * (`categorical`). Absent or null: `numeric`.
   */
  @IsOptional() @IsWord(PAYLOAD_VALUE_TYPES) value_type?: (typeof PAYLOAD_VALUE_TYPES)[number] | null;
  /**
   * What is computed: `sum`, `avg`, `min`, `max` of numbers, `count_true`, `count_false` of truth values, `count` of all.
   * What does not fit the type is null. Absent, null or empty: `avg`, `min`, `max` of numbers, `count_true` and
   * `count_false` of truth values, `count` of the others.
   */
  @IsOptional()
  @fromRule(listRule(wordRule(FEEDBACK_AGGREGATIONS), { max: FEEDBACK_AGGREGATIONS.length }))
  aggregations?: FeedbackAggregation[] | null;
  /** Percentiles of numbers, 0 to 100 each, at most 20. Absent or null: none. */
  @IsOptional() @fromRule(listRule(numberRule({ min: 0, max: 100 }), { max: 20 })) percentiles?: number[] | null;
}

/** Body of `POST /feedback/stats`. */
@Example({
  project_id: 'acme/demo',
  start: '2026-01-15T00:00:00Z',
  end: '2026-01-16T00:00:00Z',
  feedback_type: 'quality',
  metrics: [{ json_path: 'output.score', aggregations: ['avg'], percentiles: [95] }],
})
export class FeedbackStatsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Start of the time that is counted, ISO 8601, included. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601, excluded. Absent or null: now. */
  @IsOptional() @IsDateTime() end?: string | null;
  /** Only records of this type count, 1 to 256 characters. Absent or null: all. */
  @IsOptional() @IsText({ min: 1, max: 256 }) feedback_type?: string | null;
  /** Only records with this ref count; a ref that ends in `:*` stands for all versions. Absent or null: all. */
  @IsOptional() @IsRef('object') trigger_ref?: string | null;
  /**
   * Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60,
   * 300, 900, 3600, 21600 and 86400 with at most 200 buckets.
   */
  @IsOptional() @IsInteger({ min: 1, max: MAX_SECONDS }) granularity?: number | null;
  /** Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`. */
  @IsOptional() @IsText({ min: 1, max: 64 }) timezone?: string | null;
  /** Values of payloads that are counted, at most 20. Absent or null: none, records are counted. */
  @IsOptional() @NestedList(() => FeedbackMetricDto) metrics?: FeedbackMetricDto[] | null;
}

/** Answer of `POST /feedback/stats`. */
export class FeedbackStatsResultDto {
  /** Start of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() end!: string;
  /** Seconds of a bucket. */
  @IsInteger({ min: 1 }) granularity!: number;
  /** Time zone in which buckets begin. */
  @IsText() timezone!: string;
  /**
   * Buckets that have records, oldest first: `timestamp` (its start, ISO 8601 in UTC), `count` (records), and for each
   * metric `<aggregation>_<slug>` and `p<percentile>_<slug>`, null without a value. The slug is the path with `_` for
   * all but letters, digits and `_`.
   */
  @IsJsonValue({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        timestamp: { type: 'string', description: 'Start of the bucket, ISO 8601 in UTC.' },
        count: { type: 'integer', description: 'Number of records.' },
      },
      required: ['timestamp', 'count'],
      additionalProperties: { type: ['number', 'null'] },
    },
  })
  buckets!: Record<string, unknown>[];
  /** The same over the whole time: slug -> aggregation or percentile, for example `p95` -> number. */
  @IsJsonValue({ type: 'object', additionalProperties: NULLABLE_NUMBERS })
  window_stats!: Record<string, Record<string, number | null>>;
}

const GROUPINGS = ['scorer_id'] as const;
const ID_LIST = { min: 1, max: 1_024, maxItems: 1_000 };

/** Body of `POST /feedback/aggregate`. */
@Example({
  project_id: 'acme/demo',
  after_ms: 1_768_435_200_000,
  before_ms: 1_768_521_600_000,
  time_bucket_seconds: 3_600,
  group_by: ['scorer_id'],
})
export class FeedbackAggregateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Start of the time that is counted, included, milliseconds since 1970 in UTC. */
  @IsInteger({ min: 0, max: MAX_MS }) after_ms!: number;
  /** End of the time that is counted, excluded, milliseconds since 1970 in UTC. */
  @IsInteger({ min: 0, max: MAX_MS }) before_ms!: number;
  /**
   * Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: one bucket for
   * the whole time.
   */
  @IsOptional() @IsInteger({ min: 1, max: MAX_SECONDS }) time_bucket_seconds?: number | null;
  /** Only records whose type begins with one of these count, at most 1,000. Absent, null or empty: all. */
  @IsOptional() @IsTextList({ min: 1, max: 256, maxItems: 1_000 }) feedback_types?: string[] | null;
  /**
   * Only records of these scorers count, at most 1,000: `<name>:<digest>` of `runnable_ref`; one that ends in `*` is a
   * prefix. Absent, null or empty: all.
   */
  @IsOptional() @IsTextList(ID_LIST) scorer_ids?: string[] | null;
  /**
   * Only records of these monitors count, at most 1,000: `<name>:<digest>` of `trigger_ref`; one that ends in `*` is a
   * prefix. Absent, null or empty: all.
   */
  @IsOptional() @IsTextList(ID_LIST) monitor_ids?: string[] | null;
  /** Only records with one of these tags count, at most 1,000. Absent, null or empty: all. */
  @IsOptional() @IsTextList({ max: 1_024, maxItems: 1_000 }) tags?: string[] | null;
  /** Only records with a rating of this or more, and of `rating_max` or less, count. Absent or null: any. */
  @IsOptional() @IsNumber() rating_min?: number | null;
  /** Only records with a rating of this or less, and of `rating_min` or more, count. Absent or null: any. */
  @IsOptional() @IsNumber() rating_max?: number | null;
  /** What is counted apart within a bucket: `scorer_id`. Absent, null or empty: nothing. */
  @IsOptional() @fromRule(listRule(wordRule(GROUPINGS), { max: GROUPINGS.length })) group_by?: 'scorer_id'[] | null;
}

/** What scorers said in a time. */
export class FeedbackAggregateBucketDto {
  /** Start of the bucket, milliseconds since 1970 in UTC. Null: the whole time. */
  @IsOptional() @IsInteger() time_bucket_start_ms!: number | null;
  /** What was counted apart: `scorer_id` -> `<name>:<digest>`, empty for records without `runnable_ref`. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'string' } }) group!: Record<string, string>;
  /** Number of records. */
  @IsInteger({ min: 0 }) total_count!: number;
  /** Number of records with a tag or a rating. */
  @IsInteger({ min: 0 }) scored_count!: number;
  /** Tag -> records that have it. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'integer' } }) tag_counts!: Record<string, number>;
  /** Name of a rating -> sum of its values. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'number' } }) rating_sums!: Record<string, number>;
  /** Name of a rating -> records that have it. */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'integer' } }) rating_counts!: Record<string, number>;
}

/** Answer of `POST /feedback/aggregate`. */
export class FeedbackAggregateResultDto {
  /** Start of the time that is counted, milliseconds since 1970 in UTC. */
  @IsInteger() after_ms!: number;
  /** End of the time that is counted, milliseconds since 1970 in UTC. */
  @IsInteger() before_ms!: number;
  /** Seconds of a bucket. Null: one for the whole time. */
  @IsOptional() @IsInteger() time_bucket_seconds!: number | null;
  /** Buckets and groups that have records, oldest first, then by `scorer_id`. */
  @NestedList(() => FeedbackAggregateBucketDto) buckets!: FeedbackAggregateBucketDto[];
}
