import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { Example } from '../schema/example.js';
import { NestedList } from '../validation/rule.js';
import { IsJsonObject, IsWord } from '../validation/rules.js';
import { PageDto } from './page.dto.js';

export const TRAINING_JOB_EVENT_TYPES = [
  'training_started',
  'gradient_step',
  'training_ended',
  'training_failed',
] as const;
export type TrainingJobEventType = (typeof TRAINING_JOB_EVENT_TYPES)[number];

/** What happened in a training job: once `training_started`, the `gradient_step`s, and one of the last two. */
@Example({
  id: '019bc119-0300-7a3e-9d2a-5f0e8a1b2c3d',
  type: 'gradient_step',
  data: { loss: -0.01, grad_norm: 0.7, entropy: 2.1 },
  created_at: '2026-01-15T10:00:02.000Z',
})
export class TrainingJobEventDto {
  /** Id of the event, a UUID. */
  @IsUuid() id!: string;
  /** What happened. */
  @IsWord(TRAINING_JOB_EVENT_TYPES) type!: TrainingJobEventType;
  /**
   * Depends on the type. `training_started`: num_sequences (gradient_step events to come), num_groups_submitted,
   * num_groups_trainable, num_trajectories, num_trainable_tokens, parent_step, and of reinforcement learning
   * reward_mean, reward_std_dev, reward_zero_share. `gradient_step`: finite numbers by name.
   * `training_ended`: step, checkpoint_id, num_gradient_steps. `training_failed`, also of a cancelled job:
   * error_message, code. The first event of a job with warnings also has these as `warnings`, a list.
   */
  @IsJsonObject() data!: Record<string, unknown>;
  /** When it happened, ISO 8601 in UTC. */
  @IsDateTime() created_at!: string;
}

/** A page of events in the order in which they happened. */
export class TrainingJobEventPageDto extends PageDto {
  /** At most `limit` events, in the order in which they happened. */
  @NestedList(() => TrainingJobEventDto) data!: TrainingJobEventDto[];
}
