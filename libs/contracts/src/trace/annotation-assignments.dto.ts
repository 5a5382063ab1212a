import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsProjectId } from '../names/names.js';
import { Example } from '../schema/example.js';
import { Nested, NestedList } from '../validation/rule.js';
import { IsJsonObject, IsText, IsTextList, IsWord } from '../validation/rules.js';
import { QueueItemDto } from './annotation-queues.dto.js';

/** Most assignees of one item. */
const MAX_ASSIGNEES = 100;

/** Body of `PUT /annotation_queues/{queue_id}/items/{item_id}/assignees`: one of `user_ids` and `emails`. */
@Example({ project_id: 'acme/demo', user_ids: [] })
export class AssigneesSetDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Ids of all assignees from now on, at most 100; empty: nobody. Each may annotate in the project. */
  @IsOptional() @IsTextList({ maxItems: MAX_ASSIGNEES }) user_ids?: string[] | null;
  /** The same by username, at most 100: Hone keeps no e-mail addresses beside the names of users. */
  @IsOptional() @IsTextList({ maxItems: MAX_ASSIGNEES }) emails?: string[] | null;
}

/** Somebody who should annotate an item. */
export class AssigneeDto {
  /** Id of the user. */
  @IsText() user_id!: string;
  /** Name of the user. */
  @IsText() username!: string;
  /** When the item was assigned, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** Id of the user who assigned it. */
  @IsText() created_by!: string;
}

/** The assignees of an item. */
export class AssigneesResultDto {
  /** All assignees, by username. */
  @NestedList(() => AssigneeDto) assignees!: AssigneeDto[];
}

/** Body of `POST /annotation_queues/{queue_id}/items/{item_id}/reopen`. */
@Example({
  project_id: 'acme/demo',
  user_id: '019bc000-0000-7000-8000-0000000000aa',
  reason: 'The guideline has changed.',
})
export class ReopenDto {
  /** Project `<entity>/<project>`, for example `acme/summarizer`. */
  @IsProjectId() project_id!: string;
  /** Id of the annotator whose state becomes `unstarted` again. */
  @IsText() user_id!: string;
  /** Why, 1 to 1,024 characters; the audit keeps it. */
  @IsText({ min: 1, max: 1_024 }) reason!: string;
}

/** Answer of `POST /annotation_queues/{queue_id}/items/{item_id}/reopen`. */
export class ReopenResultDto {
  /** The item, with the state of that annotator. */
  @Nested(() => QueueItemDto) item!: QueueItemDto;
}

export const ANNOTATION_ACTIONS = ['assign', 'reopen'] as const;

/** One change that somebody made to the work of others. */
export class AnnotationAuditDto {
  /** Id of the entry. */
  @IsText() id!: string;
  /** Id of the item. */
  @IsText() item_id!: string;
  /** Id of the user who made the change. */
  @IsText() actor_id!: string;
  /** What was done: `assign` or `reopen`. */
  @IsWord(ANNOTATION_ACTIONS) action!: (typeof ANNOTATION_ACTIONS)[number];
  /** What was there: `{user_ids}` of `assign`, `{user_id, state}` of `reopen`. */
  @IsJsonObject() before!: Record<string, unknown>;
  /** The same after the change. */
  @IsJsonObject() after!: Record<string, unknown>;
  /** The reason that was given. Null: none is asked for. */
  @IsOptional() @IsText() reason!: string | null;
  /** When it was done, ISO 8601 in UTC. */
  @IsDateTime() at!: string;
}

/** Answer of `GET /annotation_queues/{queue_id}/items/{item_id}/audit`. */
export class AnnotationAuditResultDto {
  /** The changes, the oldest first. */
  @NestedList(() => AnnotationAuditDto) entries!: AnnotationAuditDto[];
}
