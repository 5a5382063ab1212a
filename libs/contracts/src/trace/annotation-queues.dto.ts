import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { callIdRule, IsCallId, IsProjectId } from '../names/names.js';
import { refRule } from '../names/refs.js';
import { Example } from '../schema/example.js';
import { fromRule, MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsText, IsTextList, IsWord, listRule, wordRule } from '../validation/rules.js';
import { IsLimit, IsNextCursor, IsOffset, IsPageCursor, SORT_DIRECTIONS } from './paging.dto.js';

/** Where one annotator stands with one item. No record counts as `unstarted`. */
export const ANNOTATION_STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const;
export type AnnotationState = (typeof ANNOTATION_STATES)[number];
/** What is shown of an item: the state of an annotator, or that there is nothing left to annotate. */
export const ITEM_STATES = [...ANNOTATION_STATES, 'call_deleted'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Limits of `reviewers_per_item`. */
export const REVIEWERS = { min: 1, max: 1_000 };
/** Limits of `lease_seconds`. */
export const LEASE_SECONDS = { min: 10, max: 86_400 };

/** Body of `POST /annotation_queues/{queue_id}/items/{item_id}/progress`; the annotator is the caller. */
@Example({ project_id: 'acme/demo', annotation_state: 'in_progress' })
export class ProgressUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /**
   * State to move the item to: from `unstarted` to any, from `in_progress` to `completed` or `skipped`. The state that
   * it has already changes nothing.
   */
  @IsWord(ANNOTATION_STATES) annotation_state!: AnnotationState;
}

/** A call awaiting annotators. */
export class QueueItemDto {
  /** Id of the item. */
  @IsText() id!: string;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the queue. */
  @IsText() queue_id!: string;
  /** Id of the call to annotate. */
  @IsCallId() call_id!: string;
  /** When the call began, ISO 8601 in UTC. */
  @IsDateTime() call_started_at!: string;
  /** What was called: an op ref or any name. */
  @IsText() call_op_name!: string;
  /** Id of the trace that the call belongs to. */
  @IsText() call_trace_id!: string;
  /** Paths into the call that an annotator is shown. */
  @IsTextList() display_fields!: string[];
  /** When the call was put into the queue, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the user who put the call into the queue. */
  @IsText() created_by!: string;
  /** When the item or the caller's progress last changed, the newest of both. */
  @IsDateTime() updated_at!: string;
  /** When the call ended, ISO 8601 in UTC. Null: it still runs. */
  @IsOptional() @IsDateTime() call_ended_at!: string | null;
  /** Id of the user who added the item. Null: not known. */
  @IsOptional() @IsText() added_by!: string | null;
  /** Id of the annotator whose state is shown. Null: no annotator has a state here. */
  @IsOptional() @IsText() annotator_user_id!: string | null;
  /** When the item was removed. Null: it was not. */
  @IsOptional() @IsDateTime() deleted_at!: string | null;
  /** Position in the queue, from 1. Null: the query did not ask for it. */
  @IsOptional() @IsInteger({ min: 1 }) position_in_queue!: number | null;
  /**
   * The caller's own state; in a query that of the newest progress of any annotator. `call_deleted`: the call is gone, and
   * nobody is given the item any more.
   */
  @IsWord(ITEM_STATES) annotation_state!: ItemState;
}

/** Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/progress`. */
export class ProgressResultDto {
  /** The item after the move. */
  @Nested(() => QueueItemDto) item!: QueueItemDto;
}

/** Answer of `DELETE /annotation_queues/{queue_id}/items/{item_id}`. */
export class QueueItemRemoveResultDto {
  /** The item that was removed, with the caller's own state. */
  @Nested(() => QueueItemDto) item!: QueueItemDto;
}

export const QUEUE_ITEM_SORT_FIELDS = ['id', 'created_at', 'updated_at', 'call_started_at', 'call_ended_at'] as const;

/** Conditions on items; all that are given must hold. */
export class QueueItemFilterDto {
  /** Id of the item. Absent or null: any. */
  @IsOptional() @IsText() id?: string | null;
  /** Id of the call. Absent or null: any. */
  @IsOptional() @IsText() call_id?: string | null;
  /** Name of what was called. Absent or null: any. */
  @IsOptional() @IsText() call_op_name?: string | null;
  /** Id of the trace of the call. Absent or null: any. */
  @IsOptional() @IsText() call_trace_id?: string | null;
  /** Id of the user who added the item. Absent or null: any. */
  @IsOptional() @IsText() added_by?: string | null;
  /** The newest progress of any annotator is one of these states, at most 1,000 entries. Absent, null or empty: any. */
  @IsOptional() @fromRule(listRule(wordRule(ITEM_STATES), { max: 1_000 })) annotation_states?: ItemState[] | null;
}

/** One field to sort by. */
export class QueueItemSortDto {
  /** Field of the item. */
  @IsWord(QUEUE_ITEM_SORT_FIELDS) field!: (typeof QUEUE_ITEM_SORT_FIELDS)[number];
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /annotation_queues/{queue_id}/items/query`. */
@Example({ project_id: 'acme/demo', filter: { annotation_states: ['unstarted'] }, include_position: true, limit: 10 })
export class QueueItemQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Which items are meant. Absent or null: all. */
  @IsOptional() @Nested(() => QueueItemFilterDto) filter?: QueueItemFilterDto | null;
  /** Fields to sort by, the first before the second. Absent or null: the order in which the items were added. */
  @IsOptional() @NestedList(() => QueueItemSortDto) sort_by?: QueueItemSortDto[] | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
  /**
   * Reads the list page by page: empty for the first page, then `next_cursor` of the page before, with the same `filter` and `sort_by`.
   * `limit` is the size of a page then, 1 or more, 1,000 where it is absent; `offset` must be absent. Absent or null: no
   * pages.
   */
  @IsPageCursor() cursor?: string | null;
  /** Whether `position_in_queue` is filled. Absent or null: false. */
  @IsOptional() @IsFlag() include_position?: boolean | null;
}

/** Answer of `POST /annotation_queues/{queue_id}/items/query`. */
export class QueueItemQueryResultDto {
  /** The items; state and annotator are those of the newest progress of any annotator. */
  @NestedList(() => QueueItemDto) items!: QueueItemDto[];
  /** Cursor of the next page. Null: this is the last. Absent: the body had no cursor. */
  @IsNextCursor() next_cursor?: string | null;
}

/** Body of `POST /annotation_queues`. */
@Example({ project_id: 'acme/demo', name: 'Wrong answers', description: 'Marked down by users', reviewers_per_item: 2 })
export class QueueCreateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the queue, 1 to 256 characters. */
  @IsText({ min: 1, max: 256 }) name!: string;
  /** What annotators are to do. Absent or null: empty. */
  @IsOptional() @IsText() description?: string | null;
  /** Refs of the annotation specs that the queue asks for, at most 1,000. Absent or null: none. */
  @IsOptional() @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) scorer_refs?: string[] | null;
  /** Most annotators who may work on one item, 1 to 1,000. Absent or null: any number. */
  @IsOptional() @IsInteger(REVIEWERS) reviewers_per_item?: number | null;
  /** How long a claimed item is reserved, in seconds, 10 to 86,400. Absent or null: 900. */
  @IsOptional() @IsInteger(LEASE_SECONDS) lease_seconds?: number | null;
  /** Whether only the assignees of an item may annotate it. Absent or null: false. */
  @IsOptional() @IsFlag() assigned_only?: boolean | null;
}

/** Answer of `POST /annotation_queues`. */
export class QueueCreateResultDto {
  /** Id of the new queue, a UUID. */
  @IsText() id!: string;
}

/** A queue of calls that wait for annotators. */
export class QueueDto {
  /** Id of the queue. */
  @IsText() id!: string;
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Name of the queue. */
  @IsText() name!: string;
  /** What annotators are to do. */
  @IsText() description!: string;
  /** Refs of the annotation specs that the queue asks for. */
  @IsTextList() scorer_refs!: string[];
  /** Most annotators who may work on one item. Null: any number. */
  @IsOptional() @IsInteger(REVIEWERS) reviewers_per_item!: number | null;
  /** How long a claimed item is reserved, in seconds. */
  @IsInteger(LEASE_SECONDS) lease_seconds!: number;
  /** Whether only the assignees of an item may annotate it. */
  @IsFlag() assigned_only!: boolean;
  /** When the queue was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the user who made it. */
  @IsText() created_by!: string;
  /** When the queue itself last changed, ISO 8601 in UTC; its items do not count. */
  @IsDateTime() updated_at!: string;
  /** When the queue was deleted, ISO 8601 in UTC. Null: it was not. */
  @IsOptional() @IsDateTime() deleted_at!: string | null;
}

/** Answer of reads, changes and deletions of one queue. */
export class QueueResultDto {
  /** The queue. */
  @Nested(() => QueueDto) queue!: QueueDto;
}

/** Body of `PUT /annotation_queues/{queue_id}`; what is not given stays as it is. */
@Example({ project_id: 'acme/demo', name: 'Wrong answers, second round' })
export class QueueUpdateDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** New name, 1 to 256 characters. Absent or null: unchanged. */
  @IsOptional() @IsText({ min: 1, max: 256 }) name?: string | null;
  /** What annotators are to do. Absent or null: unchanged. */
  @IsOptional() @IsText() description?: string | null;
  /** Refs of the annotation specs that the queue asks for, at most 1,000. Absent or null: unchanged. */
  @IsOptional() @fromRule(listRule(refRule('object', 'op'), { max: 1_000 })) scorer_refs?: string[] | null;
  /** Most annotators who may work on one item, 1 to 1,000; work in progress stays. Absent: unchanged. Null: any number. */
  @IsOptional() @IsInteger(REVIEWERS) reviewers_per_item?: number | null;
  /** How long items are reserved from their next claim on, in seconds, 10 to 86,400. Absent or null: unchanged. */
  @IsOptional() @IsInteger(LEASE_SECONDS) lease_seconds?: number | null;
  /** Whether only the assignees of an item may annotate it. Absent or null: unchanged. */
  @IsOptional() @IsFlag() assigned_only?: boolean | null;
}

export const QUEUE_SORT_FIELDS = ['id', 'name', 'created_at', 'updated_at'] as const;

/** One field of queues to sort by. */
export class QueueSortDto {
  /** Field of the queue; names sort by code point. */
  @IsWord(QUEUE_SORT_FIELDS) field!: (typeof QUEUE_SORT_FIELDS)[number];
  /** `asc` or `desc`. */
  @IsWord(SORT_DIRECTIONS) direction!: (typeof SORT_DIRECTIONS)[number];
}

/** Body of `POST /annotation_queues/query`. */
@Example({ project_id: 'acme/demo', name: 'wrong', sort_by: [{ field: 'name', direction: 'asc' }], limit: 10 })
export class QueueQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Part of the name, in any case, at most 256 characters. Absent, null or empty: any name. */
  @IsOptional() @IsText({ max: 256 }) name?: string | null;
  /** Fields to sort by, the first before the second. Absent, null or empty: the newest queue first; ties by id. */
  @IsOptional() @NestedList(() => QueueSortDto) sort_by?: QueueSortDto[] | null;
  /** Most results to answer, 0 to 2,147,483,647. Absent or null: all. */
  @IsLimit() limit?: number | null;
  /** Results to skip, 0 to 2,147,483,647. Absent or null: 0. */
  @IsOffset() offset?: number | null;
}

/** Body of `POST /annotation_queues/stats`. */
@Example({ project_id: 'acme/demo', queue_ids: ['019bc119-07d0-7c00-8000-000000000001'] })
export class QueueStatsQueryDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Ids of the queues, at most 1,000. Ids of no queue are left out of the answer. */
  @IsTextList({ maxItems: 1_000 }) queue_ids!: string[];
  /** Whether `own_items` is answered, too. Absent or null: it is not. */
  @IsOptional() @IsFlag() with_own?: boolean | null;
}

/** How far annotators are with one queue. */
export class QueueStatsDto {
  /** Id of the queue. */
  @IsText() queue_id!: string;
  /** Items in the queue. */
  @IsInteger({ min: 0 }) total_items!: number;
  /** Items that at least one annotator has completed. */
  @IsInteger({ min: 0 }) completed_items!: number;
  /** Items that the caller has completed or skipped. Absent unless the request asks `with_own`. */
  @MayOmit() @IsInteger({ min: 0 }) own_items?: number;
}

/** Answer of `POST /annotation_queues/stats`. */
export class QueueStatsResultDto {
  /** One entry for each queue, in the order of the ids that were sent. */
  @NestedList(() => QueueStatsDto) stats!: QueueStatsDto[];
}

/** Body of `POST /annotation_queues/{queue_id}/items`. */
@Example({ project_id: 'acme/demo', call_ids: ['c1', 'c2'], display_fields: ['inputs.q', 'output'] })
export class QueueItemsAddDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Ids of the calls to add, at most 1,000. */
  @fromRule(listRule(callIdRule, { max: 1_000 })) call_ids!: string[];
  /** Paths into the call that an annotator is shown, at most 1,000 of 1 to 1,024 characters. Absent or null: none. */
  @IsOptional() @IsTextList({ min: 1, max: 1_024, maxItems: 1_000 }) display_fields?: string[] | null;
}

/** Answer of `POST /annotation_queues/{queue_id}/items`. */
export class QueueItemsAddResultDto {
  /** Calls that were added. */
  @IsInteger({ min: 0 }) added_count!: number;
  /** Calls that were in the queue already, doubles within the request included. */
  @IsInteger({ min: 0 }) duplicates!: number;
  /** Ids that name no call of this project, finished or running. */
  @IsTextList() not_found!: string[];
}
