import type { TrainingJobEventType as JobEventType } from '@hone/contracts';

// Rows hold the words of the wire.
export type { JobEventType };

const IS_LAST: Readonly<Record<JobEventType, boolean>> = {
  training_started: false,
  gradient_step: false,
  training_ended: true,
  training_failed: true,
};

/** Whether no event of the job comes after one of this type. */
export const isLastEvent = (type: JobEventType): boolean => IS_LAST[type];

export interface TrainingStartedData {
  /** How many `gradient_step` events are to come. */
  readonly num_sequences: number;
  readonly num_groups_submitted: number;
  readonly num_groups_trainable: number;
  readonly num_trajectories: number;
  readonly num_trainable_tokens: number;
  /** 0: the base. */
  readonly parent_step: number;
  /** Reward statistics of all trajectories that were sent. Absent: none was sent, or fine-tuning. */
  readonly reward_mean?: number;
  readonly reward_std_dev?: number;
  readonly reward_zero_share?: number;
}

/** Name -> finite number. An undefined metric is left out. */
export type GradientStepData = Readonly<Record<string, number>>;

export interface TrainingEndedData {
  readonly step: number;
  readonly checkpoint_id: string;
  readonly num_gradient_steps: number;
}

/** Cancelled jobs have it, too. */
export interface TrainingFailedData {
  readonly error_message: string;
  readonly code: string;
}

export type JobEventData = TrainingStartedData | GradientStepData | TrainingEndedData | TrainingFailedData;

export interface JobEventRecord {
  readonly id: string;
  readonly jobId: string;
  /** 0, 1, 2, … without a gap; an event that commits later has a higher one. */
  readonly seq: number;
  readonly type: JobEventType;
  readonly data: JobEventData;
  readonly createdAt: Date;
}
