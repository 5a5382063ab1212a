import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsCallId, IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsJsonValue, IsText, IsTextList } from '../validation/rules.js';
import {
  CallSortDto,
  IsCallFieldNames,
  IsExpandedFields,
  IsLimit,
  IsNextCursor,
  IsOffset,
  IsPageCursor,
  MAX_SORT_FIELDS,
} from './paging.dto.js';
import { CallConditionDto } from './query.dto.js';

const AT_MOST = { maxItems: 1_000 };

/** Conditions on calls; all that are given must hold. */
export class CallFilterDto {
  /**
   * What was called is one of these, at most 1,000. A name that ends with `:*` means any version of an op. Absent, null
   * or empty: any.
   */
  @IsOptional() @IsTextList(AT_MOST) op_names?: string[] | null;
  /** The inputs contain one of these refs, at most 1,000, of any scheme. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) input_refs?: string[] | null;
  /** The output contains one of these refs, at most 1,000, of any scheme. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) output_refs?: string[] | null;
  /** The call was made by one of these calls, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) parent_ids?: string[] | null;
  /** The call belongs to one of these traces, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) trace_ids?: string[] | null;
  /** The call is one of these, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) call_ids?: string[] | null;
  /** The call belongs to one of these conversations, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) thread_ids?: string[] | null;
  /** The call belongs to one of these turns, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) turn_ids?: string[] | null;
  /** The call was sent by one of these users, at most 1,000 ids. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) svc_user_ids?: string[] | null;
  /** The call belongs to one of these runs, at most 1,000. Absent, null or empty: any. */
  @IsOptional() @IsTextList(AT_MOST) run_ids?: string[] | null;
  /**
   * Whether only the topmost calls of traces are meant: those that no other call made, and those whose parent has not
   * arrived, for example because it was sent to another backend. Absent or null: false.
   */
  @IsOptional() @IsFlag() trace_roots_only?: boolean | null;
}

/** Body of `POST /calls/stream_query`. */
@Example({
  project_id: 'acme/demo',
  filter: { op_names: ['hone:///acme/demo/op/predict:*'], trace_roots_only: true },
  query: { $expr: { $gt: [{ $getField: 'summary.hone.latency_ms' }, { $literal: 500 }] } },
  columns: ['id', 'op_name', 'started_at', 'inputs.q'],
  sort_by: [{ field: 'started_at', direction: 'desc' }],
  limit: 100,
})
export class CallsQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /**
   * Columns, or dotted paths into values, the first before the second, at most 100. Nulls and missing values come last.
   * Absent or null: `started_at` ascending; ties by `id` ascending.
   */
  @IsOptional() @NestedList(() => CallSortDto, MAX_SORT_FIELDS) sort_by?: CallSortDto[] | null;
  /** Most calls to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Calls to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /**
   * Fields to answer beside `id` and `project_id`: columns, or dotted paths into `attributes`, `inputs`, `output` and
   * `summary`, each of which becomes a flat key; at most 1,000. Absent, null or empty: all columns. By name alone, besides
   * `summary.hone.status`, `latency_ms` and `trace_name`: `summary.hone.model` (that most tokens are of), `prompt_tokens`,
   * `completion_tokens`, `total_tokens`, `cost` (US dollars), `first_token_ms`, `user`, `prompt`, `input_preview` and
   * `output_preview` (up to 200 characters), and `trace`, sums of all calls of the trace: `{calls, errors, models,
   * prompt_tokens, completion_tokens, total_tokens, cost}`. Expressions and sort orders know all but `cost` and `trace`.
   */
  @IsOptional() @IsCallFieldNames() columns?: string[] | null;
  /**
   * Dotted paths into `inputs` and `output`, at most 1,000. Where one leads to the ref of an object that the caller may
   * read, the value of that object stands instead, an object with the ref as `_ref`. Absent or null: none.
   */
  @IsOptional() @IsExpandedFields() expand_columns?: string[] | null;
  /** Whether `summary.hone.costs` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_costs?: boolean | null;
  /** Whether `summary.hone.feedback` is added: the feedback on the call, oldest first. Absent or null: false. */
  @IsOptional() @IsFlag() include_feedback?: boolean | null;
  /** Whether `storage_size_bytes` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_storage_size?: boolean | null;
}

/** Body of `POST /calls/query`. */
@Example({
  project_id: 'acme/demo',
  filter: { trace_roots_only: true },
  columns: ['id', 'op_name', 'started_at'],
  sort_by: [{ field: 'started_at', direction: 'desc' }],
  limit: 100,
  cursor: '',
})
export class CallsPageQueryDto extends CallsQueryDto {
  /**
   * Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter`, `query` and
   * `sort_by`.
   * `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no
   * pages.
   */
  @IsPageCursor() cursor?: string | null;
}

/** Answer of `POST /calls/query`. */
export class CallsPageDto {
  /** The calls. */
  @NestedList(() => CallDto) calls!: CallDto[];
  /** Cursor of the next page. Null: this is the last. Absent: the body had no cursor. */
  @IsNextCursor() next_cursor?: string | null;
}

/** Body of `POST /calls/query_stats`. */
@Example({ project_id: 'acme/demo', filter: { trace_roots_only: true } })
export class CallsStatsQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which calls are meant. Absent or null: all. */
  @IsOptional() @Nested(() => CallFilterDto) filter?: CallFilterDto | null;
  /** Condition that the calls meet, too. Absent or null: none. */
  @IsOptional() @Nested(() => CallConditionDto) query?: CallConditionDto | null;
  /** Calls to count at most, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
}

/** Answer of `POST /calls/query_stats`. */
export class CallsStatsResultDto {
  /** Number of calls that match, at most `limit`. */
  @IsInteger({ min: 0 }) count!: number;
  /** Whether there are more than `limit`. */
  @IsFlag() has_more!: boolean;
}

/** Body of `POST /call/read`. */
@Example({ project_id: 'acme/demo', id: 'c1' })
export class CallReadDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the call. */
  @IsCallId() id!: string;
  /** Whether `summary.hone.costs` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_costs?: boolean | null;
  /** Whether `storage_size_bytes` is added. Absent or null: false. */
  @IsOptional() @IsFlag() include_storage_size?: boolean | null;
}

/** A call: one traced execution. With `columns`, only the fields that these name, each dotted path as a further key. */
export class CallDto {
  /** Id of the call. */
  @IsCallId() id!: string;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** What was called: an op ref or any name. */
  @MayOmit() @IsText() op_name?: string;
  /** Name to show. Null: `op_name`. */
  @MayOmit() @IsOptional() @IsText() display_name?: string | null;
  /** Id of the trace that the call belongs to. */
  @MayOmit() @IsText() trace_id?: string;
  /** Id of the call that made this call. Null: none, the call is a root. */
  @MayOmit() @IsOptional() @IsText() parent_id?: string | null;
  /** Id of the conversation that the call belongs to. Null: none. */
  @MayOmit() @IsOptional() @IsText() thread_id?: string | null;
  /** Id of the turn in the conversation. Null: none. */
  @MayOmit() @IsOptional() @IsText() turn_id?: string | null;
  /** When the call began, ISO 8601 in UTC. */
  @MayOmit() @IsDateTime() started_at?: string;
  /** When the call ended, ISO 8601 in UTC. Null: it runs. */
  @MayOmit() @IsOptional() @IsDateTime() ended_at?: string | null;
  /** Why the call failed. Null: it did not fail. */
  @MayOmit() @IsOptional() @IsText() exception?: string | null;
  /** Metadata of the call, as it was sent. */
  @MayOmit() @IsJsonObject() attributes?: Record<string, unknown>;
  /** Arguments of the call, as they were sent. */
  @MayOmit() @IsJsonObject() inputs?: Record<string, unknown>;
  /** Result of the call, any JSON, as it was sent. Null: none, or the call runs. */
  @MayOmit() @IsJsonValue() output?: unknown;
  /**
   * What the call used, as it was sent, with the key `hone`, which the server computes: `status` (`running`, `success`,
   * `error`, or `descendant_error` where a call below it failed or `status_counts.error` of the summary is above 0), `latency_ms` (null while the
   * call runs), `trace_name`, and `costs` and `feedback` where they were asked for.
   */
  @MayOmit() @IsJsonObject() summary?: Record<string, unknown>;
  /** Id of the user who sent the first half of the call that came. */
  @MayOmit() @IsText() svc_user_id?: string;
  /** Id of the run that the call belongs to. Null: none. */
  @MayOmit() @IsOptional() @IsText() run_id?: string | null;
  /** Step of the run at the start. Null: none. */
  @MayOmit() @IsOptional() @IsInteger() run_step?: number | null;
  /** Step of the run at the end. Null: none. */
  @MayOmit() @IsOptional() @IsInteger() run_step_end?: number | null;
  /** Refs among the strings of the inputs. */
  @MayOmit() @IsTextList() input_refs?: string[];
  /** Refs among the strings of the output. */
  @MayOmit() @IsTextList() output_refs?: string[];
  /** Always null: deleted calls do not appear. */
  @MayOmit() @IsOptional() @IsDateTime() deleted_at?: string | null;
  /** When the call is deleted by the retention time of its project, ISO 8601 in UTC. Null: never. */
  @MayOmit() @IsOptional() @IsDateTime() expire_at?: string | null;
  /** Bytes of the four values as compact JSON. Absent: not asked for. */
  @MayOmit() @IsInteger({ min: 0 }) storage_size_bytes?: number;
}

/** Answer of `POST /call/read`. */
export class CallReadResultDto {
  /** The call. Null: there is none with this id, or its start did not come yet. */
  @IsOptional() @Nested(() => CallDto) call!: CallDto | null;
}
