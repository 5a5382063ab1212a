import { IsOptional } from 'class-validator';

import { IsCompletionId } from '../names/completion-id.js';
import { IsDateTime } from '../names/date-time.js';
import { IsCallId, IsProjectId } from '../names/names.js';
import { IsRef } from '../names/refs.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList, RequiredUnless } from '../validation/rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsText,
  IsTextList,
  IsTextMap,
  IsUnitIntervalMap,
  IsWord,
} from '../validation/rules.js';
import { FEEDBACK_RULES } from './feedback-constraints.js';
import {
  IsFieldNames,
  IsLimit,
  IsNextCursor,
  IsOffset,
  IsPageCursor,
  MAX_SORT_FIELDS,
  SortCriterionDto,
} from './paging.dto.js';
import { QueryDto } from './query.dto.js';

/** Body of `POST /feedback/create`. A field not declared here is a 422. */
@Constrained({ schema: FEEDBACK_RULES })
@Example({
  project_id: 'acme/demo',
  trace_ref: 'hone:///acme/demo/call/c1',
  feedback_type: 'quality',
  payload: { score: 1, why: 'exact' },
  scorer_ratings: { overall: 0.75 },
})
export class FeedbackCreateDto {
  /** Id to store the record under, 1..128 characters, unique per project. Absent or null: the server makes one. */
  @IsOptional() @IsText({ min: 1, max: 128 }) id?: string | null;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** What is being judged. It is stored without its scheme and not resolved. Absent: `completion_id` says it. */
  @RequiredUnless('completion_id') @IsRef('object', 'op', 'call') trace_ref?: string;
  /**
   * In place of `trace_ref`: `id` of a chat completion of this server, `chatcmpl-` and the id of its call in the project,
   * which need not be stored yet. Absent or null: `trace_ref` says what is judged.
   */
  @IsOptional() @IsCompletionId() completion_id?: string | null;
  /** Label of who made the judgement, free text of at most 1,024 characters. Absent or null: none. */
  @IsOptional() @IsText({ max: 1_024 }) creator?: string | null;
  /** Type of the judgement, 1 to 256 characters. Types that start with `hone.` may have rules of their own. */
  @IsText({ min: 1, max: 256 }) feedback_type!: string;
  /** Free-form JSON object, stored as sent; at most 1 MiB as compact text. */
  @IsJsonObject() payload!: Record<string, unknown>;
  /** Ref of the annotation spec that the payload answers to. Absent or null: none. */
  @IsOptional() @IsRef('object') annotation_ref?: string | null;
  /** Ref of the scorer that produced the payload. Absent or null: none. */
  @IsOptional() @IsRef('op', 'object') runnable_ref?: string | null;
  /** Ref of the scorer's own call. Absent or null: none. */
  @IsOptional() @IsRef('call') call_ref?: string | null;
  /** Ref of what caused the scorer to run. Absent or null: none. */
  @IsOptional() @IsRef('object') trigger_ref?: string | null;
  /** Id of the annotation queue that the feedback was made from, 1 to 128 characters. Absent or null: none. */
  @IsOptional() @IsText({ min: 1, max: 128 }) queue_id?: string | null;
  /** Tags that a scorer applied, at most 1,024 characters each; order and doubles are kept. Absent: none. */
  @MayOmit() @IsTextList({ max: 1_024 }) scorer_tags?: string[];
  /** Tag name -> why the scorer applied it. Absent: none. */
  @MayOmit() @IsTextMap() scorer_tag_reasons?: Record<string, string>;
  /** Tag name -> how sure the scorer is of that tag, 0 (guess) to 1 (certain). Absent: none. */
  @MayOmit() @IsUnitIntervalMap() scorer_tag_confidences?: Record<string, number>;
  /** Rating name -> rating, 0 to 1. Absent: none. */
  @MayOmit() @IsUnitIntervalMap() scorer_ratings?: Record<string, number>;
  /** Rating name -> why the scorer rated so. Absent: none. */
  @MayOmit() @IsTextMap() scorer_rating_reasons?: Record<string, string>;
  /** Rating name -> how sure the scorer is of that rating, 0 to 1. Absent: none. */
  @MayOmit() @IsUnitIntervalMap() scorer_rating_confidences?: Record<string, number>;
  /** Ignored: the server writes the id of the caller. */
  @IsOptional() @IsText() svc_user_id?: string | null;
}

/** One stored record, as create answers it. */
@Example({
  id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  created_at: '2026-01-15T10:00:00.000Z',
  svc_user_id: '019bc000-0000-7000-8000-0000000000aa',
  payload: { score: 1, why: 'exact' },
})
export class FeedbackCreateResultDto {
  /** The client's id, or one the server made. */
  @IsText() id!: string;
  /** When the record was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the user whose key was used. */
  @IsText() svc_user_id!: string;
  /** The payload as sent; reserved types may add keys. */
  @IsJsonObject() payload!: Record<string, unknown>;
}

/** Body of `POST /feedback/batch/create`: all are stored, or none. */
@Example({
  batch: [
    { project_id: 'acme/demo', trace_ref: 'hone:///acme/demo/call/c1', feedback_type: 'thumbs', payload: { up: true } },
    {
      project_id: 'acme/demo',
      trace_ref: 'hone:///acme/demo/call/c2',
      feedback_type: 'thumbs',
      payload: { up: false },
    },
  ],
})
export class FeedbackBatchDto {
  /** The records, none included; they may belong to different projects. */
  @NestedList(() => FeedbackCreateDto) batch!: FeedbackCreateDto[];
}

/** Answer of `POST /feedback/batch/create`. */
export class FeedbackBatchResultDto {
  /** `res[i]` belongs to `batch[i]`. */
  @NestedList(() => FeedbackCreateResultDto) res!: FeedbackCreateResultDto[];
}

/** Body of `POST /feedback/replace`: the new record as create takes it, and which one it replaces. */
@Constrained({ schema: FEEDBACK_RULES })
@Example({
  feedback_id: 'fb-1',
  project_id: 'acme/demo',
  trace_ref: 'hone:///acme/demo/call/c1',
  feedback_type: 'quality',
  payload: { score: 0, why: 'off by one' },
})
export class FeedbackReplaceDto extends FeedbackCreateDto {
  /** Id of the record that is replaced, 1 to 128 characters. `id` may be the same. */
  @IsText({ min: 1, max: 128 }) feedback_id!: string;
  /** Why the record is replaced, 1 to 1,024 characters; its history keeps it. Absent or null: no reason. */
  @IsOptional() @IsText({ min: 1, max: 1_024 }) reason?: string | null;
}

/** Body of `POST /feedback/purge`. */
@Example({ project_id: 'acme/demo', query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'fb-1' }] } } })
export class FeedbackPurgeDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Which records are meant: `$eq` of `id` and a literal, `$in` of `id` and literals, or `$or` of these. Ids of no record
   * are no error.
   */
  @Nested(() => QueryDto) query!: QueryDto;
}

/** Body of `POST /feedback/query`. */
@Example({
  project_id: 'acme/demo',
  query: { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: 'quality' }] } },
  fields: ['id', 'trace_ref', 'payload.score'],
  sort_by: [{ field: 'created_at', direction: 'desc' }],
  limit: 10,
})
export class FeedbackQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * Columns, or dotted paths into `payload`, at most 1,000; a dotted name becomes a flat key. Absent or null: all
   * columns.
   */
  @IsOptional() @IsFieldNames() fields?: string[] | null;
  /** Condition that the records meet. Absent or null: none. */
  @IsOptional() @Nested(() => QueryDto) query?: QueryDto | null;
  /**
   * Columns, or dotted paths into `payload`, the first before the second, at most 100. Absent or null: `created_at`
   * ascending; ties by `id` ascending.
   */
  @IsOptional() @NestedList(() => SortCriterionDto, MAX_SORT_FIELDS) sort_by?: SortCriterionDto[] | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /**
   * Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `query` and `sort_by`.
   * `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no
   * pages.
   */
  @IsPageCursor() cursor?: string | null;
  /**
   * Whether all records that match are counted for `total_count`, which reads each of them. Absent, null or false: they
   * are counted only when the page shows their number anyway, or when `limit` is 0.
   */
  @IsOptional() @IsFlag() include_total_count?: boolean | null;
}

/**
 * A stored record as `/feedback/query` answers it: all fields, or those that `fields` names.
 * A dotted name in `fields` is a further key of the record.
 */
export class FeedbackRecordDto {
  /** Id of the record. */
  @MayOmit() @IsText() id?: string;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @MayOmit() @IsProjectId() project_id?: string;
  /** When the record was made, ISO 8601 in UTC. */
  @MayOmit() @IsDateTime() created_at?: string;
  /** Id of the user whose key was used. */
  @MayOmit() @IsText() svc_user_id?: string;
  /** Label of who made the judgement. Null: none. */
  @MayOmit() @IsOptional() @IsText() creator?: string | null;
  /** Type of the feedback. */
  @MayOmit() @IsText() feedback_type?: string;
  /** Ref of what was judged. */
  @MayOmit() @IsRef('object', 'op', 'call') trace_ref?: string;
  /** Ref of the annotation spec that the payload answers to. Null: none. */
  @MayOmit() @IsOptional() @IsRef('object') annotation_ref?: string | null;
  /** Ref of the scorer that produced the payload. Null: none. */
  @MayOmit() @IsOptional() @IsRef('op', 'object') runnable_ref?: string | null;
  /** Ref of the scorer's own call. Null: none. */
  @MayOmit() @IsOptional() @IsRef('call') call_ref?: string | null;
  /** Ref of what caused the scorer to run. Null: none. */
  @MayOmit() @IsOptional() @IsRef('object') trigger_ref?: string | null;
  /** Id of the annotation queue that the feedback was made from. Null: none. */
  @MayOmit() @IsOptional() @IsCallId() queue_id?: string | null;
  /** The payload as it was stored. */
  @MayOmit() @IsJsonObject() payload?: Record<string, unknown>;
  /** Tags that a scorer applied, in the order in which they were sent. */
  @MayOmit() @IsTextList() scorer_tags?: string[];
  /** Tag name -> why the scorer applied it. */
  @MayOmit() @IsTextMap() scorer_tag_reasons?: Record<string, string>;
  /** Tag name -> how sure the scorer is of that tag, 0 to 1. */
  @MayOmit() @IsUnitIntervalMap() scorer_tag_confidences?: Record<string, number>;
  /** Rating name -> rating, 0 to 1. */
  @MayOmit() @IsUnitIntervalMap() scorer_ratings?: Record<string, number>;
  /** Rating name -> why the scorer rated so. */
  @MayOmit() @IsTextMap() scorer_rating_reasons?: Record<string, string>;
  /** Rating name -> how sure the scorer is of that rating, 0 to 1. */
  @MayOmit() @IsUnitIntervalMap() scorer_rating_confidences?: Record<string, number>;
}

/** Answer of `POST /feedback/query`. */
export class FeedbackQueryResultDto {
  /** The records, at most `limit` of them. */
  @NestedList(() => FeedbackRecordDto) result!: FeedbackRecordDto[];
  /**
   * Records that match, whatever `limit` and `offset` say. Null: there may be more than this page shows, and
   * `include_total_count` did not ask for their number.
   */
  @IsOptional() @IsInteger({ min: 0 }) total_count!: number | null;
  /** Cursor of the next page. Null: this is the last. Absent: the body had no cursor. */
  @IsNextCursor() next_cursor?: string | null;
}

/** Body of `POST /feedback/payload_schema`. */
@Example({ project_id: 'acme/demo', feedback_type: 'quality', start: '2026-01-01T00:00:00Z' })
export class FeedbackPayloadSchemaDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Only records made at or after this time count, ISO 8601. Absent or null: all. */
  @IsOptional() @IsDateTime() start?: string | null;
  /** Only records made before this time count, ISO 8601. Absent or null: all. */
  @IsOptional() @IsDateTime() end?: string | null;
  /** Only records of this type count, 1 to 256 characters. Absent or null: all. */
  @IsOptional() @IsText({ min: 1, max: 256 }) feedback_type?: string | null;
  /** Only records with this ref count; a ref that ends in `:*` stands for all versions. Absent or null: all. */
  @IsOptional() @IsRef('object') trigger_ref?: string | null;
  /** The newest records that are looked at, 1 to 10,000. Absent or null: 2,000. */
  @IsOptional() @IsInteger({ min: 1, max: 10_000 }) sample_limit?: number | null;
}

export const PAYLOAD_VALUE_TYPES = ['numeric', 'boolean', 'categorical'] as const;

/** A place in payloads where values are. */
export class FeedbackPayloadPathDto {
  /** Dotted path from the payload; a dot in a key is written `\.`, for example `output.score`. */
  @IsText() json_path!: string;
  /** `numeric` or `boolean` where all values are; `categorical`: texts, or values of several types. */
  @IsWord(PAYLOAD_VALUE_TYPES) value_type!: (typeof PAYLOAD_VALUE_TYPES)[number];
}

/** Answer of `POST /feedback/payload_schema`. */
export class FeedbackPayloadSchemaResultDto {
  /**
   * The places, by code point of their paths, at most 1,000: those that most records have. Lists, empty objects, what is
   * below 32 levels, and payloads above 256 KiB are left out.
   */
  @NestedList(() => FeedbackPayloadPathDto) paths!: FeedbackPayloadPathDto[];
}
