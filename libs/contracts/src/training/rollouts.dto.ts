import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { fromRule, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsWord, mapRule, numberRule } from '../validation/rules.js';

/** One rollout that a job learned from, without what was said. */
export class RolloutDto {
  /** Position of its group in the data of the job, from 0. */
  @IsInteger({ min: 0 }) group!: number;
  /** Position in its group, from 0. */
  @IsInteger({ min: 0 }) index!: number;
  /** What the rollout was worth. */
  @IsNumber() reward!: number;
  /** How much better than its group it was, as the settings of the job scale it; 0: it taught nothing. Null: too large for a number. */
  @IsOptional() @IsNumber() advantage!: number | null;
  /** Step of the checkpoint that answered first. Null: not known. */
  @IsOptional() @IsInteger() initial_policy_version!: number | null;
  /** Metric name -> number; true and false are 1 and 0. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
}

/** Answer of `GET /v1/preview/training-jobs/{training_job_id}/rollouts`. */
@Example({
  object: 'list',
  data: [
    { group: 0, index: 0, reward: 1, advantage: 0.999998, initial_policy_version: 3, metrics: { words: 4 } },
    { group: 0, index: 1, reward: 0, advantage: -0.999998, initial_policy_version: 3, metrics: { words: 9 } },
  ],
})
export class RolloutListDto {
  /** Always `list`. */
  @IsWord(['list']) object!: 'list';
  /** All rollouts of the job, group by group, at most 16,384. */
  @NestedList(() => RolloutDto) data!: RolloutDto[];
}

/** One rollout with what was said in it. */
export class RolloutDetailDto extends RolloutDto {
  /** The trajectory as it was sent: messages, Choices with their log-probabilities, metadata. */
  @IsJsonValue({ type: 'object' }) trajectory!: unknown;
}
