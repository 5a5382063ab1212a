import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { callIdRule, IsCallId, IsProjectId } from '../names/names.js';
import { refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText, IsTextList, IsWord, listRule, wordRule } from '../validation/rules.js';
import { IsLimit, IsOffset, SORT_DIRECTIONS } from './paging.dto.js';

/** Where one annotator stands with one item. No record counts as `unstarted`. */
export const ANNOTATION_STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const;
export type AnnotationState = (typeof ANNOTATION_STATES)[number];

/** Body of `POST /annotation_queues/{queue_id}/items/{item_id}/progress`; the annotator is the caller. */
@Example({ project_id: 'acme/demo', annotation_state: 'in_progress' })
export class ProgressUpdateDto {
  @IsProjectId() project_id!: string;
  @IsWord(ANNOTATION_STATES) annotation_state!: AnnotationState;
}

/** A call awaiting annotators. */
export class QueueItemDto {
  @IsText() id!: string;
  @IsProjectId() project_id!: string;
  @IsText() queue_id!: string;
  @IsCallId() call_id!: string;
  @IsDateTime() call_started_at!: string;
  @IsText() call_op_name!: string;
  @IsText() call_trace_id!: string;
  /** Paths into the call that an annotator is shown. */
  @IsTextList() display_fields!: string[];
  @IsDateTime() created_at!: string;
  @IsText() created_by!: string;
  /** Newest of the item and the caller's progress. */
  @IsDateTime() updated_at!: string;
  @IsOptional() @IsDateTime() call_ended_at!: string | null;
  @IsOptional() @IsText() added_by!: string | null;
  /** The caller, once they have a state here; else null. */
  @IsOptional() @IsText() annotator_user_id!: string | null;
  @IsOptional() @IsDateTime() deleted_at!: string | null;
  /** From 1; null unless the query asked for it. */
  @IsOptional() @IsInteger({ min: 1 }) position_in_queue!: number | null;
  /** The caller's own state. */
  @IsWord(ANNOTATION_STATES) annotation_state!: AnnotationState;
}

export class ProgressResultDto {
  @Nested(() => QueueItemDto) item!: QueueItemDto;
}

export const QUEUE_ITEM_SORT_FIELDS = ['id', 'created_at', 'updated_at', 'call_started_at', 'call_ended_at'] as const;

export class QueueItemFilterDto {
  @IsOptional() @IsText() id?: string | null;
  @IsOptional() @IsText() call_id?: string | null;
  @IsOptional() @IsText() call_op_name?: string | null;
  @IsOptional() @IsText() call_trace_id?: string | null;
  @IsOptional() @IsText() added_by?: string | null;
  /** Any of these, by the newest progress of any annotator; empty: no condition. */
  @IsOptional() @fromRule(listRule(wordRule(ANNOTATION_STATES), { max: 1_000 })) annotation_states?:
    AnnotationState[] | null;
}

export class QueueItemSortDto {
  @IsWord(QUEUE_ITEM_SORT_FIELDS) field!: (typeof QUEUE_ITEM_SORT_FIELDS)[number];
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /annotation_queues/{queue_id}/items/query`. */
@Example({ project_id: 'acme/demo', filter: { annotation_states: ['unstarted'] }, include_position: true, limit: 10 })
export class QueueItemQueryDto {
  @IsProjectId() project_id!: string;
  @IsOptional() @Nested(() => QueueItemFilterDto) filter?: QueueItemFilterDto | null;
  /** Default: the order in which the items were added. */
  @IsOptional() @NestedList(() => QueueItemSortDto) sort_by?: QueueItemSortDto[] | null;
  @IsLimit() limit?: number | null;
  @IsOffset() offset?: number | null;
  /** true: adds the place in the queue, from 1. */
  @IsOptional() @IsFlag() include_position?: boolean | null;
}

export class QueueItemQueryResultDto {
  /** State and annotator are those of the newest progress of any annotator. */
  @NestedList(() => QueueItemDto) items!: QueueItemDto[];
}

/** Body of `POST /annotation_queues`. */
@Example({ project_id: 'acme/demo', name: 'Wrong answers', description: 'Calls that users marked down' })
export class QueueCreateDto {
  @IsProjectId() project_id!: string;
  @IsText({ min: 1, max: 256 }) name!: string;
  @IsOptional() @IsText() description?: string | null;
  /** Annotation specs that the queue asks for. */
  @IsOptional() @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) scorer_refs?: string[] | null;
}

export class QueueCreateResultDto {
  @IsText() id!: string;
}

/** Body of `POST /annotation_queues/{queue_id}/items`. */
@Example({ project_id: 'acme/demo', call_ids: ['c1', 'c2'], display_fields: ['inputs.q', 'output'] })
export class QueueItemsAddDto {
  @IsProjectId() project_id!: string;
  @fromRule(listRule(callIdRule, { max: 1_000 })) call_ids!: string[];
  @IsOptional() @IsTextList({ min: 1, max: 1_024, maxItems: 1_000 }) display_fields?: string[] | null;
}

export class QueueItemsAddResultDto {
  @IsInteger({ min: 0 }) added_count!: number;
  /** Calls that were in the queue already, doubles within the request included. */
  @IsInteger({ min: 0 }) duplicates!: number;
  /** Ids of no finished or running call of this project. */
  @IsTextList() not_found!: string[];
}
