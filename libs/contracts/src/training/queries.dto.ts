import { IsCursor, IsQueryId, IsQueryInteger, IsQueryText, IsQueryWord } from '../query/query-rules.js';
import { AcceptsUnknownFields, MayOmit } from '../validation/rule.js';
import type { TrainingJobKind, TrainingJobStatus } from './training-job.dto.js';
import { TRAINING_JOB_KINDS, TRAINING_JOB_STATUSES } from './training-job.dto.js';

export const DEFAULT_PAGE_LIMIT = 20;
const MAX_PAGE_LIMIT = 100;
const MAX_STEP = 2_147_483_647;
const MAX_WAIT_SECONDS = 25;

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** Which part of a list is asked for. */
@AcceptsUnknownFields()
export class PageQueryDto {
  /** Most items of the page, 1 to 100. Absent: 20. */
  @MayOmit() @IsQueryInteger(1, MAX_PAGE_LIMIT, DEFAULT_PAGE_LIMIT) limit?: number;
  /** Id of the last item of the page before, as `last_id` has it. Absent or empty: from the start. */
  @MayOmit() @IsCursor() after?: string;
}

/** Query of `GET /v1/preview/models/{model_id}/checkpoints`. */
@AcceptsUnknownFields()
export class CheckpointsQueryDto extends PageQueryDto {
  /** Whether steps rise or fall. Absent: they rise. */
  @MayOmit() @IsQueryWord(ORDERS, 'asc') order?: Order;
}

/** Query of `GET /v1/preview/artifacts`. */
@AcceptsUnknownFields()
export class ArtifactsQueryDto extends PageQueryDto {
  /** Only versions of this entity. Absent: of all that the caller may read. */
  @MayOmit() @IsQueryText() entity?: string;
  /** Only versions of projects of this name. Absent: of all. */
  @MayOmit() @IsQueryText() project?: string;
  /** Only versions of artifacts of this name. Absent: of all. */
  @MayOmit() @IsQueryText() name?: string;
}

/** Query of `GET /v1/preview/models`. */
@AcceptsUnknownFields()
export class TrainableModelsQueryDto extends PageQueryDto {
  /** Whether the oldest or the newest model comes first. Absent: the oldest. */
  @MayOmit() @IsQueryWord(ORDERS, 'asc') order?: Order;
  /** Only models of this entity. Absent: of all that the caller may read. */
  @MayOmit() @IsQueryText() entity?: string;
  /** Only models of projects of this name. Absent: of all. */
  @MayOmit() @IsQueryText() project?: string;
  /** Only models of this name. Absent: all. */
  @MayOmit() @IsQueryText() name?: string;
}

/** Query of `GET /v1/preview/training-jobs`. */
@AcceptsUnknownFields()
export class TrainingJobsQueryDto extends PageQueryDto {
  /** Whether the oldest or the newest job comes first. Absent: the newest. */
  @MayOmit() @IsQueryWord(ORDERS, 'desc') order?: Order;
  /** Only jobs of models of this entity. Absent: of all that the caller may read. */
  @MayOmit() @IsQueryText() entity?: string;
  /** Only jobs of models of projects of this name. Absent: of all. */
  @MayOmit() @IsQueryText() project?: string;
  /** Only jobs of this model. Absent or empty: of all. */
  @MayOmit() @IsQueryId() model_id?: string;
  /** Only jobs of this kind. Absent: of both. */
  @MayOmit() @IsQueryWord(TRAINING_JOB_KINDS) kind?: TrainingJobKind;
  /** Only jobs in this state. Absent: in any. */
  @MayOmit() @IsQueryWord(TRAINING_JOB_STATUSES) status?: TrainingJobStatus;
}

/** Query of `GET /v1/preview/training-jobs/{training_job_id}/events`. */
@AcceptsUnknownFields()
export class TrainingJobEventsQueryDto extends PageQueryDto {
  /** Seconds that a page may wait for an event after the cursor, 0 to 25. Absent: 0, it does not wait. */
  @MayOmit() @IsQueryInteger(0, MAX_WAIT_SECONDS, 0) wait?: number;
}

/** Id of the request that logged, position of the group, position in the group. */
export const TRAJECTORY_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,5})-(\d{1,5})$/i;

const isTrajectoryId = (text: string): boolean => TRAJECTORY_ID.test(text);

/** Query of `GET /v1/preview/models/{model_id}/trajectories`. */
@AcceptsUnknownFields()
export class TrajectoriesQueryDto {
  /** Most items of the page, 1 to 100. Absent: 20. */
  @MayOmit() @IsQueryInteger(1, MAX_PAGE_LIMIT, DEFAULT_PAGE_LIMIT) limit?: number;
  /** Id of the last trajectory of the page before, as `last_id` has it. Absent or empty: from the start. */
  @MayOmit()
  @IsCursor(isTrajectoryId, '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}-[0-9]{1,5}-[0-9]{1,5}$')
  after?: string;
  /** Only trajectories of this split. Absent: of all. */
  @MayOmit() @IsQueryText() split?: string;
  /** Only trajectories that were logged at this step, 0 to 2,147,483,647. Absent: at any. */
  @MayOmit() @IsQueryInteger(0, MAX_STEP) step?: number;
}
