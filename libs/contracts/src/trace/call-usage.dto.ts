import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonValue, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { CallFilterDto } from './call-queries.dto.js';
import { IsCallIds } from './call-writes.dto.js';
import { IsLimit, IsOffset, SORT_DIRECTIONS } from './paging.dto.js';
import { CallConditionDto } from './query.dto.js';

const MAX_CALLS = { min: 1, max: 100_000 };

/** Body of `POST /calls/usage`. */
@Example({ project_id: 'acme/demo', call_ids: ['c1'], include_costs: true })
export class CallsUsageDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Ids of the calls, at most 1,000. Ids of no call are left out of the answer. */
  @IsCallIds() call_ids!: string[];
  /** Whether costs are added, by the prices of the project, else by the built-in list. Absent or null: false. */
  @IsOptional() @IsFlag() include_costs?: boolean | null;
  /** Most calls to read, descendants included, 1 to 100,000; more are a 422. Absent or null: 10,000. */
  @IsOptional() @IsInteger(MAX_CALLS) limit?: number | null;
}

/** Body of `POST /trace/usage`. */
@Example({ project_id: 'acme/demo', filter: { trace_ids: ['t1'] } })
export class TraceUsageDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Whether costs are added, by the prices of the project, else by the built-in list. Absent or null: false. */
  @IsOptional() @IsFlag() include_costs?: boolean | null;
  /** Most calls to read, 1 to 100,000; more are a 422. Absent or null: 10,000. */
  @IsOptional() @IsInteger(MAX_CALLS) limit?: number | null;
}

/** Answer of `POST /calls/usage` and `POST /trace/usage`. */
export class CallsUsageResultDto {
  /**
   * Call id -> model -> what the call and its descendants used: requests, tokens, and costs in US dollars where they
   * were asked for and the model has a price. A call whose summary counts more calls than itself in `status_counts` sums
   * its descendants already, as tracing SDKs do, and is taken as it is.
   */
  @IsJsonValue({
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          requests: { type: 'number', description: 'Requests to the model.' },
          prompt_tokens: { type: 'number', description: 'Tokens of the prompts, those of caches included.' },
          completion_tokens: { type: 'number', description: 'Tokens of the completions, those of reasoning included.' },
          cache_read_input_tokens: {
            type: 'number',
            description: 'Of the prompts: read from a cache. Absent: not said.',
          },
          cache_creation_input_tokens: {
            type: 'number',
            description: 'Of the prompts: written into a cache. Absent: not said.',
          },
          reasoning_tokens: { type: 'number', description: 'Of the completions: reasoning. Absent: not said.' },
          total_tokens: { type: 'number', description: 'Tokens in all.' },
          prompt_tokens_total_cost: { type: 'number', description: 'US dollars. Absent: not asked for, or no price.' },
          completion_tokens_total_cost: {
            type: 'number',
            description: 'US dollars. Absent: not asked for, or no price.',
          },
          cache_read_input_tokens_total_cost: { type: 'number', description: "US dollars, of the prompts' cost." },
          cache_creation_input_tokens_total_cost: { type: 'number', description: "US dollars, of the prompts' cost." },
          reasoning_tokens_total_cost: { type: 'number', description: "US dollars, of the completions' cost." },
          total_cost: { type: 'number', description: 'US dollars. Absent: not asked for, or no price.' },
        },
      },
    },
  })
  call_usage!: Record<string, Record<string, Record<string, number>>>;
  /** Ids of the calls among them that still run, and may use more. */
  @IsTextList() unfinished_call_ids!: string[];
}

/** Body of `POST /calls/stats`. */
@Example({ project_id: 'acme/demo', start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z' })
export class CallStatsDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Start of the time that is counted, ISO 8601, included. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601, excluded. Absent or null: now. */
  @IsOptional() @IsDateTime() end?: string | null;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /**
   * Seconds of a bucket, 1 to 31,536,000; raised until there are at most 10,000 buckets. Absent or null: the least of 60,
   * 300, 900, 3600, 21600 and 86400 with at most 200 buckets.
   */
  @IsOptional() @IsInteger({ min: 1, max: 31_536_000 }) granularity?: number | null;
  /** Time zone in which buckets of hours and days begin, 1 to 64 characters. Absent or null: `UTC`. */
  @IsOptional() @IsText({ min: 1, max: 64 }) timezone?: string | null;
}

/** What calls of a time did. */
export class CallStatsBucketDto {
  /** Start of the bucket, ISO 8601 in UTC. */
  @IsDateTime() timestamp!: string;
  /** Calls that began in it. */
  @IsInteger({ min: 0 }) count!: number;
  /** Those that failed. */
  @IsInteger({ min: 0 }) error_count!: number;
  /** Mean time from start to end in ms. Null: none has ended. */
  @IsOptional() @IsNumber() avg_latency_ms!: number | null;
  /** Median time from start to end in ms. Null: none has ended. */
  @IsOptional() @IsNumber() p50_latency_ms!: number | null;
  /** Time from start to end in ms that 95 % of them kept to. Null: none has ended. */
  @IsOptional() @IsNumber() p95_latency_ms!: number | null;
  /** Time from start to end in ms that 99 % of them kept to. Null: none has ended. */
  @IsOptional() @IsNumber() p99_latency_ms!: number | null;
  /**
   * Model -> `{requests, prompt_tokens, completion_tokens, total_tokens, total_cost}`; `total_cost` in US dollars by the
   * prices of the project, of calls whose model has one. Calls whose usage sums that of their descendants are left out.
   */
  @IsJsonValue({ type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'number' } } })
  usage!: Record<string, Record<string, number>>;
}

/** Answer of `POST /calls/stats`. */
export class CallStatsResultDto {
  /** Start of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() start!: string;
  /** End of the time that is counted, ISO 8601 in UTC. */
  @IsDateTime() end!: string;
  /** Seconds of a bucket. */
  @IsInteger({ min: 1 }) granularity!: number;
  /** Time zone in which buckets begin. */
  @IsText() timezone!: string;
  /** Buckets that have calls, oldest first. */
  @NestedList(() => CallStatsBucketDto) buckets!: CallStatsBucketDto[];
}

const THREAD_FIELDS = ['thread_id', 'turn_count', 'start_time', 'last_updated'] as const;

/** Conditions on conversations; all that are given must hold. */
export class ThreadFilterDto {
  /** The conversation is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList({ maxItems: 1_000 }) thread_ids?: string[] | null;
  /** Only calls that began at or after this time count, ISO 8601. Absent or null: all. */
  @IsOptional() @IsDateTime() after_datetime?: string | null;
  /** Only calls that began before this time count, ISO 8601. Absent or null: all. */
  @IsOptional() @IsDateTime() before_datetime?: string | null;
}

/** One field of conversations to sort by. */
export class ThreadSortDto {
  /** Field of the conversation. */
  @IsWord(THREAD_FIELDS) field!: (typeof THREAD_FIELDS)[number];
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /threads/stream_query`. */
@Example({ project_id: 'acme/demo', sort_by: [{ field: 'last_updated', direction: 'desc' }], limit: 50 })
export class ThreadsQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which conversations are meant. Absent or null: all. */
  @IsOptional() @Nested(() => ThreadFilterDto) filter?: ThreadFilterDto | null;
  /** Fields, the first before the second. Absent or null: `last_updated` descending; ties by `thread_id`. */
  @IsOptional() @NestedList(() => ThreadSortDto) sort_by?: ThreadSortDto[] | null;
  /** Most conversations to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Conversations to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /** Whether `first_call_id` and `last_call_id` are answered, too. Absent or null: they are not. */
  @IsOptional() @IsFlag() with_calls?: boolean | null;
}

/** A conversation: the calls with one `thread_id`. */
export class ThreadDto {
  /** Id of the conversation. */
  @IsText() thread_id!: string;
  /** Turns: sets of calls with one `turn_id`, or with one `trace_id` where they have none. */
  @IsInteger({ min: 0 }) turn_count!: number;
  /** When its first call began, ISO 8601 in UTC. */
  @IsDateTime() start_time!: string;
  /** When its last call ended, or began where none that is later has ended; ISO 8601 in UTC. */
  @IsDateTime() last_updated!: string;
  /** Median time of its turns in ms. Null: none has ended. */
  @MayOmit() @IsOptional() @IsNumber() p50_turn_duration_ms!: number | null;
  /** Time in ms that 99 % of its turns kept to. Null: none has ended. */
  @MayOmit() @IsOptional() @IsNumber() p99_turn_duration_ms!: number | null;
  /** Id of the call that no other made and that began first. Null: all have callers. Absent unless asked `with_calls`. */
  @MayOmit() @IsOptional() @IsText() first_call_id?: string | null;
  /** Id of the call that no other made and that began last. Null: all have callers. Absent unless asked `with_calls`. */
  @MayOmit() @IsOptional() @IsText() last_call_id?: string | null;
}
