import type { ImportanceSamplingLevel, KlSource, LossFunction } from '@hone/contracts';

import { resolveLora, TRAINING_DEFAULTS, type TrainingConfig, type TrainingConfigInput } from './training-config.js';

/**
 * `experimental_config` of a reinforcement learning job with every default filled in. Property names are the wire
 * names: the job object shows it as it is.
 */
export interface RlConfig extends TrainingConfig {
  learning_rate: number;
  loss_fn: LossFunction;
  /** `loss_fn` in the interface's second notation. */
  ppo: boolean;
  /** Ratios are clipped to 1 - epsilon .. 1 + epsilon_high. */
  epsilon: number;
  epsilon_high: number;
  /** Advantages are divided by the deviation of their group when both are true. */
  normalize_advantages: boolean;
  scale_rewards: boolean;
  /** -1 to 1: above 0 plays failures down, below 0 successes. */
  advantage_balance: number;
  importance_sampling_level: ImportanceSamplingLevel;
  /** Null: off. */
  truncated_importance_sampling: number | null;
  /** Null: off. */
  max_negative_advantage_importance_sampling_weight: number | null;
  mask_prob_ratio: boolean;
  precalculate_logprobs: boolean;
  allow_training_without_logprobs: boolean;
  scale_learning_rate_by_reward_std_dev: boolean;
  /** Null: off. */
  kimi_k2_tau: number | null;
  kl_penalty_coef: number;
  /** Null, as is the lag: the base model. */
  kl_penalty_reference_step: number | null;
  /** The reference is so many steps before the parent. */
  kl_penalty_step_lag: number | null;
  /** Null: no penalty. */
  kl_penalty_source: KlSource | null;
  /** Always null: paths on the server are not accepted. */
  kl_ref_adapter_path: null;
  /** Tokens. Null: from the longest sequence. */
  packed_sequence_length: number | null;
  /** Sequences of a gradient step, at most. */
  minibatch_size: number;
  /** Passes over the trajectories. */
  n_epochs: number;
  num_trajectories_learning_rate_multiplier_power: number;
  /** Accepted; no effect on results, as is `plot_tensors`. */
  logprob_calculation_chunk_size: number | null;
  plot_tensors: boolean;
}

/** As a client sends it; null means absent. */
export type RlConfigInput = { readonly [Key in Exclude<keyof RlConfig, 'lora'>]?: RlConfig[Key] | null } & Pick<
  TrainingConfigInput,
  'lora'
>;

const DEFAULTS = {
  ...TRAINING_DEFAULTS,
  weight_decay: 0.1,
  max_grad_norm: 0.1,
  learning_rate: 5e-6,
  normalize_advantages: true,
  scale_rewards: true,
  advantage_balance: 0,
  importance_sampling_level: 'token',
  truncated_importance_sampling: null,
  max_negative_advantage_importance_sampling_weight: null,
  mask_prob_ratio: false,
  precalculate_logprobs: false,
  allow_training_without_logprobs: false,
  scale_learning_rate_by_reward_std_dev: false,
  kimi_k2_tau: null,
  kl_penalty_coef: 0,
  kl_penalty_reference_step: null,
  kl_penalty_step_lag: null,
  kl_ref_adapter_path: null,
  packed_sequence_length: null,
  minibatch_size: 32,
  n_epochs: 1,
  num_trajectories_learning_rate_multiplier_power: 0,
  logprob_calculation_chunk_size: null,
  plot_tensors: false,
} as const satisfies Partial<RlConfig>;

/** Clip range of each loss unless the job sets it; `epsilon` is the job's value or its default. */
const CLIPPING: Readonly<
  Record<LossFunction, { readonly epsilon: number; readonly epsilonHigh: (epsilon: number) => number }>
> = {
  cispo: { epsilon: 1, epsilonHigh: () => 4 },
  ppo: { epsilon: 0.2, epsilonHigh: (epsilon) => epsilon },
};

/**
 * Fills in defaults, some of which follow from other settings; unknown keys are left out. Values are legal: the
 * training service has validated them.
 */
export function resolveRlConfig(input: RlConfigInput | null | undefined): RlConfig {
  const given = input ?? {};
  const lossFn = given.loss_fn ?? (given.ppo ? 'ppo' : 'cispo');
  const clipping = CLIPPING[lossFn];
  const epsilon = given.epsilon ?? clipping.epsilon;
  const defaults: RlConfig = {
    ...DEFAULTS,
    loss_fn: lossFn,
    ppo: lossFn === 'ppo',
    epsilon,
    epsilon_high: clipping.epsilonHigh(epsilon),
    kl_penalty_source: (given.kl_penalty_coef ?? 0) > 0 ? 'sample' : null,
  };
  const resolved = Object.entries(defaults).map(([key, value]) => [key, given[key as keyof RlConfig] ?? value]);
  return { ...(Object.fromEntries(resolved) as RlConfig), ppo: defaults.ppo, lora: resolveLora(given.lora) };
}
