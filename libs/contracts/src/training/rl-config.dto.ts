import { IsOptional } from 'class-validator';

import { type Issue, valueIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, type Rule } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsWord } from '../validation/rules.js';
import { both, isSent, TRAINING_CLASHES, trainingClashes, TrainingConfigDto } from './training-config.dto.js';

const MAX_INT32 = 2_147_483_647;
export const LOSS_FUNCTIONS = ['cispo', 'ppo'] as const;
export type LossFunction = (typeof LOSS_FUNCTIONS)[number];
export const IMPORTANCE_SAMPLING_LEVELS = ['token', 'sequence', 'average', 'geometric_average'] as const;
export type ImportanceSamplingLevel = (typeof IMPORTANCE_SAMPLING_LEVELS)[number];
export const KL_SOURCES = ['sample', 'current_learner'] as const;
export type KlSource = (typeof KL_SOURCES)[number];

/** Whatever is sent: a file of the server is not the client's to name. */
const IsNoServerPath = (): PropertyDecorator =>
  fromRule({
    name: 'isNoServerPath',
    issues: () => [valueIssue('Server-side file paths are not accepted; use kl_penalty_reference_step.')],
    schema: { type: 'null' },
  });

const NUMBER = { type: 'integer' };
/** What {@link IsConsistent} refuses, as schemas. */
const CLASHES = [
  ...TRAINING_CLASHES,
  both({ ppo: { const: true } }, { loss_fn: { const: 'cispo' } }),
  both({ ppo: { const: false } }, { loss_fn: { const: 'ppo' } }),
  both({ kl_penalty_reference_step: NUMBER }, { kl_penalty_step_lag: NUMBER }),
];

/** Settings of a reinforcement learning job. Null means absent in every field; other fields are ignored. */
@AcceptsUnknownFields()
@Constrained({ schema: { not: { anyOf: CLASHES } } })
@Example({ learning_rate: 1e-5, loss_fn: 'cispo', epsilon: null })
export class RlConfigDto extends TrainingConfigDto {
  /**
   * Learning rate of AdamW, 0 or more. Recommended: 2e-3 for bases of up to 10 million parameters, 3e-4 up to 300
   * million, 1e-4 up to 2 billion, 3e-5 up to 10 billion, 1e-5 above. Absent or null: the recommended one.
   */
  @IsOptional() @IsNumber({ min: 0 }) learning_rate?: number | null;
  /** Loss function. Absent or null: `cispo`, or what `ppo` says. */
  @IsOptional() @IsWord(LOSS_FUNCTIONS) loss_fn?: LossFunction | null;
  /**
   * The loss function in the older notation: true is `ppo`, false `cispo`; must agree with `loss_fn`. Absent or null:
   * what `loss_fn` says.
   */
  @IsOptional() @IsFlag() ppo?: boolean | null;
  /** Ratios are clipped from 1 - epsilon on; 0 or more. Absent or null: 1 with cispo, 0.2 with ppo. */
  @IsOptional() @IsNumber({ min: 0 }) epsilon?: number | null;
  /** Ratios are clipped to 1 + epsilon_high; 0 or more. Absent or null: 4 with cispo, epsilon with ppo. */
  @IsOptional() @IsNumber({ min: 0 }) epsilon_high?: number | null;
  /**
   * Whether advantages are divided by the standard deviation of their group; `scale_rewards` false turns it off too.
   * Absent or null: true.
   */
  @IsOptional() @IsFlag() normalize_advantages?: boolean | null;
  /** The same as `normalize_advantages`: either of them false turns the division off. Absent or null: true. */
  @IsOptional() @IsFlag() scale_rewards?: boolean | null;
  /** Above 0 plays failures down, below 0 successes; -1 to 1. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: -1, max: 1 }) advantage_balance?: number | null;
  /** Over what ratios are taken. Absent or null: `token`. */
  @IsOptional()
  @IsWord(IMPORTANCE_SAMPLING_LEVELS)
  importance_sampling_level?: ImportanceSamplingLevel | null;
  /** Highest factor by which a token's loss grows, above 0. Absent or null: off. */
  @IsOptional() @IsNumber({ above: 0 }) truncated_importance_sampling?: number | null;
  /** Highest ratio of tokens with a negative advantage, above 0. Absent or null: off. */
  @IsOptional() @IsNumber({ above: 0 }) max_negative_advantage_importance_sampling_weight?: number | null;
  /** Whether tokens whose ratio leaves the clipping range are left out. Absent or null: false. */
  @IsOptional() @IsFlag() mask_prob_ratio?: boolean | null;
  /** Whether ratios are taken against the parent checkpoint's own log-probabilities. Absent or null: false. */
  @IsOptional() @IsFlag() precalculate_logprobs?: boolean | null;
  /** Whether choices without log-probabilities are trained too, as if on policy. Absent or null: false. */
  @IsOptional() @IsFlag() allow_training_without_logprobs?: boolean | null;
  /** Whether the learning rate falls with the standard deviation of logged rewards. Absent or null: false. */
  @IsOptional() @IsFlag() scale_learning_rate_by_reward_std_dev?: boolean | null;
  /**
   * Weight of the pull towards the old policy: the advantage loses `tau * (logprob - old logprob)`; 0 or more. Absent
   * or null: off.
   */
  @IsOptional() @IsNumber({ min: 0 }) kimi_k2_tau?: number | null;
  /** Weight of the distance from the reference in the advantage, 0 or more. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0 }) kl_penalty_coef?: number | null;
  /**
   * Step of the checkpoint that is the reference, 0 to 2,147,483,647. Absent or null, as is the lag: the base model.
   */
  @IsOptional() @IsInteger({ min: 0, max: MAX_INT32 }) kl_penalty_reference_step?: number | null;
  /**
   * How many steps before the parent the reference is, 1 to 2,147,483,647; not with `kl_penalty_reference_step`. Absent
   * or null, as is the step: the base model.
   */
  @IsOptional() @IsInteger({ min: 1, max: MAX_INT32 }) kl_penalty_step_lag?: number | null;
  /** Whose log-probabilities are compared with the reference's. Absent or null: `sample`. */
  @IsOptional() @IsWord(KL_SOURCES) kl_penalty_source?: KlSource | null;
  /** Always absent or null: server-side file paths are not accepted. */
  @IsOptional() @IsNoServerPath() kl_ref_adapter_path?: null;
  /**
   * Tokens of a row, which is one gradient step, 16 to 131,072: sequences are packed into as few rows as this and
   * `minibatch_size` allow. Absent or null: as many as the longest sequence has, rounded up to a multiple of 2,048, at
   * most 32,768.
   */
  @IsOptional() @IsInteger({ min: 16, max: 131_072 }) packed_sequence_length?: number | null;
  /**
   * Most sequences of a row, which is one gradient step, 1 to 16,384. A trajectory is one sequence, or several when its
   * prompts do not go on from each other. Absent or null: 32.
   */
  @IsOptional() @IsInteger({ min: 1, max: 16_384 }) minibatch_size?: number | null;
  /**
   * How many times the job goes through its trajectories, 1 to 100; ratios are always those to the policy that sampled
   * them. Absent or null: 1.
   */
  @IsOptional() @IsInteger({ min: 1, max: 100 }) n_epochs?: number | null;
  /**
   * The learning rate of a row is multiplied by the number of its trajectories to this power, -2 to 2. Absent or null:
   * 0.
   */
  @IsOptional() @IsNumber({ min: -2, max: 2 }) num_trajectories_learning_rate_multiplier_power?: number | null;
  /** Accepted, at least 1, without effect on results. Absent or null: as if not sent. */
  @IsOptional() @IsInteger({ min: 1 }) logprob_calculation_chunk_size?: number | null;
  /** Accepted, without effect on results. Absent or null: as if not sent. */
  @IsOptional() @IsFlag() plot_tensors?: boolean | null;
}

/** What contradicts itself in a configuration whose fields are each right. */
function clashes(config: RlConfigDto): Issue[] {
  const { loss_fn, ppo, kl_penalty_reference_step, kl_penalty_step_lag } = config;
  const issues = trainingClashes(config);
  if (typeof ppo === 'boolean' && isSent(loss_fn) && (loss_fn === 'ppo') !== ppo) {
    issues.push(valueIssue('loss_fn and ppo contradict each other.', ['ppo']));
  }
  if (isSent(kl_penalty_reference_step) && isSent(kl_penalty_step_lag)) {
    issues.push(valueIssue('Only one of kl_penalty_reference_step and kl_penalty_step_lag.', ['kl_penalty_step_lag']));
  }
  return issues;
}

const CONSISTENT: Rule = {
  name: 'isConsistent',
  issues: (value) => (isJsonObject(value) ? clashes(value as unknown as RlConfigDto) : []),
  schema: {},
};

/** The fields of a configuration do not contradict each other. */
export const IsConsistent = (): PropertyDecorator => fromRule(CONSISTENT);
