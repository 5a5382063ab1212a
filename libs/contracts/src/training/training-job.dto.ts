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
import { JobRolloutsDto } from './rollout-order.dto.js';

export const TRAINING_JOB_KINDS = ['rl', 'sft', 'preference'] as const;
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
export const TRAINING_JOB_PHASES = ['sampling', 'planning', 'loading', 'training', 'saving'] as const;
export type TrainingJobPhase = (typeof TRAINING_JOB_PHASES)[number];

/** How far a job is. */
export class JobProgressDto {
  /** Gradient steps that were made. */
  @IsInteger({ min: 0 }) gradient_steps_done!: number;
  /** Gradient steps of the whole job, or of its rounds up to the current one. Null: not planned yet. */
  @IsOptional() @IsInteger({ min: 0 }) gradient_steps_total!: number | null;
  /** Steps done of the total, or rounds done of all, 0 to 1. Null: not planned yet. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) fraction!: number | null;
  /** What the worker is doing. Null: no worker has the job. */
  @IsOptional() @IsWord(TRAINING_JOB_PHASES) phase!: TrainingJobPhase | null;
}

/** Tokens of a job; 0 until they are known. */
export class JobTokensDto {
  /** Tokens of all rows, context included. */
  @IsInteger({ min: 0 }) input!: number;
  /** Tokens of `input` that are trained. */
  @IsInteger({ min: 0 }) trainable!: number;
  /** Tokens of the rows that have been trained. */
  @IsInteger({ min: 0 }) processed!: number;
}

/** How long a job took, in milliseconds; up to now while it is open. */
export class JobTimingsDto {
  /** Milliseconds before the first worker took the job. */
  @IsInteger({ min: 0 }) queued!: number;
  /** Milliseconds from there to the first gradient step. */
  @IsInteger({ min: 0 }) preparing!: number;
  /** Milliseconds from the first gradient step on. */
  @IsInteger({ min: 0 }) running!: number;
  /** Milliseconds since the job was made. */
  @IsInteger({ min: 0 }) total!: number;
}

/** A checkpoint that a job was trained from, or made. */
export class JobCheckpointDto {
  /** Id of the checkpoint, a UUID. */
  @IsUuid() id!: string;
  /** Step of the checkpoint, 1 or more. */
  @IsInteger({ min: 1 }) step!: number;
}

/** What came of the data of a job. */
export class JobDataDto {
  /** Groups in the body, or sampled so far; 0 for fine-tuning. */
  @IsInteger({ min: 0 }) groups_submitted!: number;
  /** Groups with a trained trajectory; 0 for fine-tuning, and until it is known. */
  @IsInteger({ min: 0 }) groups_trainable!: number;
  /** Trajectories in the body, for fine-tuning lines; 0 until it is known. */
  @IsInteger({ min: 0 }) trajectories!: number;
  /** Trajectories, or lines, that are trained; 0 until it is known. */
  @IsInteger({ min: 0 }) trajectories_trained!: number;
  /**
   * Why trajectories are not trained -> how many: `zero_advantage`, `no_choice`, `no_logprobs`, `no_tokens`,
   * `too_long`, of lines `too_long`, `no_tokens`, `assistant_first`, `equal_answers`; `validation`: held out.
   */
  @fromRule(mapRule(integerRule({ min: 0 }))) dropped!: Record<string, number>;
  /** Mean reward of all trajectories that were sent. Null: not known yet, there is none, or fine-tuning. */
  @IsOptional() @IsNumber() reward_mean!: number | null;
  /** Standard deviation of these rewards. Null: as `reward_mean`. */
  @IsOptional() @IsNumber() reward_std_dev!: number | null;
  /** Share of these rewards that are 0, 0 to 1. Null: as `reward_mean`. */
  @IsOptional() @IsNumber() reward_zero_share!: number | null;
}

/** Why a job failed or was cancelled. */
export class JobErrorDto {
  /** `<area>.<reason>`, for example `data.no_trainable_tokens`. */
  @IsText() code!: string;
  /** What went wrong, in a sentence. */
  @IsText() message!: string;
  /** What to do about it. Null: nothing to say. */
  @IsOptional() @IsText() hint!: string | null;
  /**
   * Path into the body that was sent, for example `["trajectory_groups", 0, "trajectories", 1]`. Null: the error is at no single path.
   */
  @IsOptional() @IsJsonValue({ type: ['array', 'null'], items: { type: ['string', 'integer'] } }) loc!:
    (string | number)[] | null;
  /** That path and further ones, at most 20. */
  @IsJsonValue({ type: 'array', items: { type: 'array', items: { type: ['string', 'integer'] } } }) locs!: (
    string | number
  )[][];
  /** Whether the same job, sent again, may succeed. */
  @IsFlag() retryable!: boolean;
}

/** What the author of a job should know: it trains, and perhaps not what was meant. */
export class JobWarningDto {
  /**
   * `config.unknown_key`: a setting that has no effect. `config.learning_rate_low`, `config.learning_rate_high`: a
   * learning rate at most a tenth of, or at least ten times, the recommended one. `data.no_trajectories`,
   * `data.equal_rewards`: no gradient step is taken. `data.stale_policy`: trajectories of a much older step. `data.narrow`: answers of lines repeat each other. Once it
   * trains, `training.low_sample_size`: few tokens decide a step; `training.entropy_exploded`: answers become random;
   * `training.preferences_known`: measured from the base, the parent ranks all pairs of the first step right;
   * `training.over_optimised`: chosen answers have become less likely. `data.one_sided`: single answers are all liked, or
   * all disliked.
   */
  @IsText() code!: string;
  /** What is unusual, in a sentence. */
  @IsText() message!: string;
  /** What was probably meant, or what to do. Null: nothing to say. */
  @IsOptional() @IsText() hint!: string | null;
  /** Path into the body that was sent, for example `["config", "learning_rat"]`. */
  @IsJsonValue({ type: 'array', items: { type: 'string' } }) loc!: string[];
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
  training_data_url: 'hone-artifact:///acme/demo/thumbs:v0',
  rollouts: null,
  metrics: {},
  data: {
    groups_submitted: 8,
    groups_trainable: 6,
    trajectories: 64,
    trajectories_trained: 48,
    dropped: {},
    reward_mean: 0.5,
    reward_std_dev: 0.5,
    reward_zero_share: 0.5,
  },
  warnings: [
    {
      code: 'config.unknown_key',
      message: 'The setting learning_rat is unknown and has no effect.',
      hint: 'Did you mean learning_rate?',
      loc: ['experimental_config', 'learning_rat'],
    },
  ],
  error: null,
})
export class TrainingJobDto {
  /** Id of the job, a UUID. */
  @IsUuid() id!: string;
  /** Always `training_job`. */
  @IsWord(['training_job']) object!: 'training_job';
  /** `rl`: reinforcement learning; `sft`: supervised fine-tuning; `preference`: learning from preferences. */
  @IsWord(TRAINING_JOB_KINDS) kind!: TrainingJobKind;
  /** Where the job stands; `cancelled`, `succeeded` and `failed` are final. */
  @IsWord(TRAINING_JOB_STATUSES) status!: TrainingJobStatus;
  /** Id of the model, a UUID. */
  @IsUuid() model_id!: string;
  /** Entity of the model. */
  @IsText() entity!: string;
  /** Name of the project of the model. */
  @IsText() project!: string;
  /** How many times a worker took the job, from 0. */
  @IsInteger({ min: 0 }) attempt!: number;
  /** Position in the queue; 1: next. Null: not queued. */
  @IsOptional() @IsInteger({ min: 1 }) queue_position!: number | null;
  /** When the job was made, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
  /** When a worker first took the job. Null: none has. */
  @IsOptional() @IsDateTime() started_at!: string | null;
  /** When the job ended. Null: it has not. */
  @IsOptional() @IsDateTime() finished_at!: string | null;
  /** When a cancellation was requested. Null: none was. */
  @IsOptional() @IsDateTime() cancel_requested_at!: string | null;
  /** When the job fails if it is still queued or running then. */
  @IsDateTime() deadline_at!: string;
  /** How far the job is. */
  @Nested(() => JobProgressDto) progress!: JobProgressDto;
  /** Tokens of the job. */
  @Nested(() => JobTokensDto) tokens!: JobTokensDto;
  /** How long the job took. */
  @Nested(() => JobTimingsDto) timings_ms!: JobTimingsDto;
  /** Checkpoint that is trained from. Null: the base model, or not known yet. */
  @IsOptional() @Nested(() => JobCheckpointDto) parent_checkpoint!: JobCheckpointDto | null;
  /** Checkpoint that the job made. Null: it has not succeeded yet. */
  @IsOptional() @Nested(() => JobCheckpointDto) produced_checkpoint!: JobCheckpointDto | null;
  /** The settings in effect, defaults filled in. */
  @IsJsonObject() config!: Record<string, unknown>;
  /** The artifact of the job's project that it reads. Null: its data was sent with it, or is elsewhere. */
  @IsOptional() @IsText() training_data_url!: string | null;
  /** What the job has sampled and graded by itself. Null: its rollouts were sent, or it learns from examples. */
  @IsOptional() @Nested(() => JobRolloutsDto) rollouts!: JobRolloutsDto | null;
  /** Metric name -> mean over the gradient steps; of validation losses the last value. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
  /** What came of the data. */
  @Nested(() => JobDataDto) data!: JobDataDto;
  /**
   * Unknown settings, at most 20, and learning rates far from the recommended one; the first event of the job has
   * them too. The latter are known when the job is planned. Empty: nothing is unusual.
   */
  @NestedList(() => JobWarningDto) warnings!: JobWarningDto[];
  /** Why the job failed or was cancelled. Null: neither. */
  @IsOptional() @Nested(() => JobErrorDto) error!: JobErrorDto | null;
}

/** A page of jobs. */
export class TrainingJobPageDto extends PageDto {
  /** At most `limit` jobs, in the order that was asked for. */
  @NestedList(() => TrainingJobDto) data!: TrainingJobDto[];
}
