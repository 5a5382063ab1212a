import { IsOptional } from 'class-validator';

import { IsCallId, IsProjectId } from '../names/names.js';
import { IsDateTime } from '../names/date-time.js';
import { IsRef } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonObject, IsText, IsTextList, IsTextMap, IsUnitIntervalMap } from '../validation/rules.js';
import { QueryDto } from './query.dto.js';
import { IsLimit, IsOffset, SortCriterionDto } from './paging.dto.js';

/** Body of `POST /feedback/create`. A field not declared here is a 422. */
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
  /** `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** What is being judged. It is stored without its scheme and not resolved. */
  @IsRef('object', 'op', 'call') trace_ref!: string;
  /** Label of who made the judgement, free text. */
  @IsOptional() @IsText({ max: 1_024 }) creator?: string | null;
  /** 1..256 characters. Types that start with `hone.` may have rules of their own. */
  @IsText({ min: 1, max: 256 }) feedback_type!: string;
  /** Free-form JSON object, stored as sent; at most 1 MiB as compact text. */
  @IsJsonObject() payload!: Record<string, unknown>;
  /** The annotation spec that the payload answers to. */
  @IsOptional() @IsRef('object') annotation_ref?: string | null;
  /** The scorer that produced the payload. */
  @IsOptional() @IsRef('op', 'object') runnable_ref?: string | null;
  /** The call of the scorer itself. */
  @IsOptional() @IsRef('call') call_ref?: string | null;
  /** What caused the scorer to run. */
  @IsOptional() @IsRef('object') trigger_ref?: string | null;
  /** Annotation queue that the feedback was made from; null outside queues. */
  @IsOptional() @IsText({ min: 1, max: 128 }) queue_id?: string | null;
  /** Tags that a scorer applied; order and doubles are kept. */
  @MayOmit() @IsTextList({ max: 1_024 }) scorer_tags?: string[];
  /** Tag name -> why. */
  @MayOmit() @IsTextMap() scorer_tag_reasons?: Record<string, string>;
  /** Tag name -> how sure the scorer is of that tag, 0 (guess) to 1 (certain). */
  @MayOmit() @IsUnitIntervalMap() scorer_tag_confidences?: Record<string, number>;
  /** Rating name -> rating, 0 to 1. */
  @MayOmit() @IsUnitIntervalMap() scorer_ratings?: Record<string, number>;
  /** Rating name -> why. */
  @MayOmit() @IsTextMap() scorer_rating_reasons?: Record<string, string>;
  /** Rating name -> how sure the scorer is of that rating, 0 to 1. */
  @MayOmit() @IsUnitIntervalMap() scorer_rating_confidences?: Record<string, number>;
  /** Ignored: the server writes the caller's id. */
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
  @IsDateTime() created_at!: string;
  /** User whose key was used. */
  @IsText() svc_user_id!: string;
  /** As sent; reserved types may add keys. */
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
  /** 0..n records; they may belong to different projects. */
  @NestedList(() => FeedbackCreateDto) batch!: FeedbackCreateDto[];
}

export class FeedbackBatchResultDto {
  /** `res[i]` belongs to `batch[i]`. */
  @NestedList(() => FeedbackCreateResultDto) res!: FeedbackCreateResultDto[];
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
  @IsProjectId() project_id!: string;
  /** Columns, or dotted paths into `payload`; a dotted name becomes a flat key. Absent: all columns. */
  @IsOptional() @IsTextList({ min: 1, max: 1_024, maxItems: 1_000 }) fields?: string[] | null;
  @IsOptional() @Nested(() => QueryDto) query?: QueryDto | null;
  /** Columns, or dotted paths into `payload`. Default: `created_at` asc; ties by `id` asc. */
  @IsOptional() @NestedList(() => SortCriterionDto) sort_by?: SortCriterionDto[] | null;
  @IsLimit() limit?: number | null;
  @IsOffset() offset?: number | null;
}

/**
 * A stored record as `/feedback/query` answers it: all fields, or those that `fields` names.
 * A dotted name in `fields` is a further key of the record.
 */
export class FeedbackRecordDto {
  @MayOmit() @IsText() id?: string;
  @MayOmit() @IsProjectId() project_id?: string;
  @MayOmit() @IsDateTime() created_at?: string;
  @MayOmit() @IsText() svc_user_id?: string;
  @MayOmit() @IsOptional() @IsText() creator?: string | null;
  @MayOmit() @IsText() feedback_type?: string;
  @MayOmit() @IsRef('object', 'op', 'call') trace_ref?: string;
  @MayOmit() @IsOptional() @IsRef('object') annotation_ref?: string | null;
  @MayOmit() @IsOptional() @IsRef('op', 'object') runnable_ref?: string | null;
  @MayOmit() @IsOptional() @IsRef('call') call_ref?: string | null;
  @MayOmit() @IsOptional() @IsRef('object') trigger_ref?: string | null;
  @MayOmit() @IsOptional() @IsCallId() queue_id?: string | null;
  @MayOmit() @IsJsonObject() payload?: Record<string, unknown>;
  @MayOmit() @IsTextList() scorer_tags?: string[];
  @MayOmit() @IsTextMap() scorer_tag_reasons?: Record<string, string>;
  @MayOmit() @IsUnitIntervalMap() scorer_tag_confidences?: Record<string, number>;
  @MayOmit() @IsUnitIntervalMap() scorer_ratings?: Record<string, number>;
  @MayOmit() @IsTextMap() scorer_rating_reasons?: Record<string, string>;
  @MayOmit() @IsUnitIntervalMap() scorer_rating_confidences?: Record<string, number>;
}

export class FeedbackQueryResultDto {
  @NestedList(() => FeedbackRecordDto) result!: FeedbackRecordDto[];
  /** Records that match, whatever `limit` and `offset` say. */
  @IsInteger({ min: 0 }) total_count!: number;
}
