/** What is told of a job: once `training_started`, the `gradient_step`s, and one of the last two. */
export type JobEventType = 'training_started' | 'gradient_step' | 'training_ended' | 'training_failed';

export interface TrainingStartedData {
  /** How many `gradient_step` events are to come. */
  readonly num_sequences: number;
  readonly num_groups_submitted: number;
  readonly num_groups_trainable: number;
  readonly num_trajectories: number;
  readonly num_trainable_tokens: number;
  /** 0: the base. */
  readonly parent_step: number;
}

/** Name -> finite number. An undefined metric is left out. */
export type GradientStepData = Readonly<Record<string, number>>;

export interface TrainingEndedData {
  readonly step: number;
  readonly checkpoint_id: string;
  readonly num_gradient_steps: number;
}

/** Also of cancelled jobs. */
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
