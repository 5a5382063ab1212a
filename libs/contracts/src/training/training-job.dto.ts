import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { fromRule, Nested, NestedList } from '../validation/rule.js';
import {
  integerRule,
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsJsonValue,
  IsNumber,
  IsText,
  IsWord,
  mapRule,
  numberRule,
} from '../validation/rules.js';
import { PageDto } from './page.dto.js';

export const TRAINING_JOB_KINDS = ['rl', 'sft'] as const;
export type TrainingJobKind = (typeof TRAINING_JOB_KINDS)[number];
export const TRAINING_JOB_STATUSES = [
  'queued',
  'preparing',
  'running',
  'cancelling',
  'cancelled',
  'succeeded',
  'failed',
] as const;
export type TrainingJobStatus = (typeof TRAINING_JOB_STATUSES)[number];
export const TRAINING_JOB_PHASES = ['planning', 'loading', 'training', 'saving'] as const;
export type TrainingJobPhase = (typeof TRAINING_JOB_PHASES)[number];

export class JobProgressDto {
  @IsInteger({ min: 0 }) gradient_steps_done!: number;
  /** Null: not planned yet. */
  @IsOptional() @IsInteger({ min: 0 }) gradient_steps_total!: number | null;
  /** Steps done of the total, 0 to 1. Null: not planned yet. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) fraction!: number | null;
  /** What the worker is at. Null: no worker has the job. */
  @IsOptional() @IsWord(TRAINING_JOB_PHASES) phase!: TrainingJobPhase | null;
}

/** 0 until it is known. */
export class JobTokensDto {
  /** Tokens of all rows, context included. */
  @IsInteger({ min: 0 }) input!: number;
  /** Those of them that are trained. */
  @IsInteger({ min: 0 }) trainable!: number;
  /** Tokens of the rows that have been trained. */
  @IsInteger({ min: 0 }) processed!: number;
}

/** Milliseconds, up to now while the job is open. */
export class JobTimingsDto {
  /** Before the first worker took it. */
  @IsInteger({ min: 0 }) queued!: number;
  /** From there to the first gradient step. */
  @IsInteger({ min: 0 }) preparing!: number;
  @IsInteger({ min: 0 }) running!: number;
  @IsInteger({ min: 0 }) total!: number;
}

export class JobCheckpointDto {
  @IsUuid() id!: string;
  @IsInteger({ min: 1 }) step!: number;
}

export class JobDataDto {
  /** 0 for fine-tuning, as is the next. */
  @IsInteger({ min: 0 }) groups_submitted!: number;
  /** Groups with a trained trajectory; 0 until it is known, as are the following. */
  @IsInteger({ min: 0 }) groups_trainable!: number;
  /** For fine-tuning: lines. */
  @IsInteger({ min: 0 }) trajectories!: number;
  @IsInteger({ min: 0 }) trajectories_trained!: number;
  /** Why trajectories are not trained -> how many: zero_advantage, no_choice, no_logprobs, no_tokens, too_long. */
  @fromRule(mapRule(integerRule({ min: 0 }))) dropped!: Record<string, number>;
}

export class JobErrorDto {
  /** `<area>.<reason>`, for example `data.no_trainable_tokens`. */
  @IsText() code!: string;
  @IsText() message!: string;
  /** What to do about it. Null: nothing to say. */
  @IsOptional() @IsText() hint!: string | null;
  /** Path into the body that was sent, for example `["trajectory_groups", 0, "trajectories", 1]`. Null: no one place. */
  @IsOptional() @IsJsonValue({ type: ['array', 'null'], items: { type: ['string', 'integer'] } }) loc!:
    (string | number)[] | null;
  /** That place and further ones, at most 20. */
  @IsJsonValue({ type: 'array', items: { type: 'array', items: { type: ['string', 'integer'] } } }) locs!: (
    string | number
  )[][];
  /** The same job, sent again, may succeed. */
  @IsFlag() retryable!: boolean;
}

/** A training job, wherever one is answered. */
@Example({
  id: '019bc119-0200-7a3e-9d2a-5f0e8a1b2c3d',
  object: 'training_job',
  kind: 'rl',
  status: 'running',
  model_id: '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d',
  entity: 'local',
  project: 'default',
  attempt: 1,
  queue_position: null,
  created_at: '2026-01-15T10:00:00.000Z',
  started_at: '2026-01-15T10:00:01.000Z',
  finished_at: null,
  cancel_requested_at: null,
  deadline_at: '2026-01-15T16:00:01.000Z',
  progress: { gradient_steps_done: 3, gradient_steps_total: 12, fraction: 0.25, phase: 'training' },
  tokens: { input: 4000, trainable: 1200, processed: 1000 },
  timings_ms: { queued: 1000, preparing: 400, running: 600, total: 2000 },
  parent_checkpoint: null,
  produced_checkpoint: null,
  config: { learning_rate: 1e-5 },
  metrics: {},
  data: { groups_submitted: 8, groups_trainable: 6, trajectories: 64, trajectories_trained: 48, dropped: {} },
  error: null,
})
export class TrainingJobDto {
  @IsUuid() id!: string;
  @IsWord(['training_job']) object!: 'training_job';
  @IsWord(TRAINING_JOB_KINDS) kind!: TrainingJobKind;
  /** The last three are final. */
  @IsWord(TRAINING_JOB_STATUSES) status!: TrainingJobStatus;
  @IsUuid() model_id!: string;
  @IsText() entity!: string;
  @IsText() project!: string;
  /** How often a worker has taken it. */
  @IsInteger({ min: 0 }) attempt!: number;
  /** 1: next. Null: not queued. */
  @IsOptional() @IsInteger({ min: 1 }) queue_position!: number | null;
  @IsDateTime() created_at!: string;
  /** When a worker first took it. */
  @IsOptional() @IsDateTime() started_at!: string | null;
  @IsOptional() @IsDateTime() finished_at!: string | null;
  @IsOptional() @IsDateTime() cancel_requested_at!: string | null;
  /** When it fails if it still waits, or still runs, then. */
  @IsDateTime() deadline_at!: string;
  @Nested(() => JobProgressDto) progress!: JobProgressDto;
  @Nested(() => JobTokensDto) tokens!: JobTokensDto;
  @Nested(() => JobTimingsDto) timings_ms!: JobTimingsDto;
  /** What it is trained from. Null: the base model, or not known yet. */
  @IsOptional() @Nested(() => JobCheckpointDto) parent_checkpoint!: JobCheckpointDto | null;
  /** Null until it has succeeded. */
  @IsOptional() @Nested(() => JobCheckpointDto) produced_checkpoint!: JobCheckpointDto | null;
  /** The settings in effect, defaults filled in. */
  @IsJsonObject() config!: Record<string, unknown>;
  /** Means over the gradient steps. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
  @Nested(() => JobDataDto) data!: JobDataDto;
  /** Why it failed or was cancelled. */
  @IsOptional() @Nested(() => JobErrorDto) error!: JobErrorDto | null;
}

/** A page of jobs. */
export class TrainingJobPageDto extends PageDto {
  @NestedList(() => TrainingJobDto) data!: TrainingJobDto[];
}
