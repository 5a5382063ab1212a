import { resolveRlConfig, type RlConfigInput } from './rl-config.js';
import { resolveSftConfig } from './sft-config.js';

const SHARED_DEFAULTS = {
  lr_schedule: 'constant',
  warmup_steps: null,
  warmup_ratio: null,
  seed: 3407,
  lora: null,
  parent_step: null,
  checkpoint_every: null,
};

const RL_DEFAULTS = {
  ...SHARED_DEFAULTS,
  weight_decay: 0.1,
  max_grad_norm: 0.1,
  learning_rate: 5e-6,
  loss_fn: 'cispo',
  ppo: false,
  epsilon: 1,
  epsilon_high: 4,
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
  kl_penalty_source: null,
  kl_ref_adapter_path: null,
  packed_sequence_length: null,
  minibatch_size: 32,
  n_epochs: 1,
  num_trajectories_learning_rate_multiplier_power: 0,
  logprob_calculation_chunk_size: null,
  plot_tensors: false,
};

describe('resolveRlConfig', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['all null', Object.fromEntries(Object.keys(RL_DEFAULTS).map((key) => [key, null]))],
    ['an unknown key', { colour: 'red' } as RlConfigInput],
  ])('gives the defaults for %s', (_, input) => {
    expect(resolveRlConfig(input)).toEqual(RL_DEFAULTS);
  });

  it.each([
    [{ loss_fn: 'ppo' }, { loss_fn: 'ppo', ppo: true, epsilon: 0.2, epsilon_high: 0.2 }],
    [{ ppo: true }, { loss_fn: 'ppo', ppo: true, epsilon: 0.2, epsilon_high: 0.2 }],
    [
      { ppo: true, epsilon: 0.3 },
      { epsilon: 0.3, epsilon_high: 0.3 },
    ],
    [
      { ppo: true, epsilon_high: 0.4 },
      { epsilon: 0.2, epsilon_high: 0.4 },
    ],
    [
      { ppo: false, epsilon: 0 },
      { loss_fn: 'cispo', epsilon: 0, epsilon_high: 4 },
    ],
    [{ kl_penalty_coef: 0.1 }, { kl_penalty_coef: 0.1, kl_penalty_source: 'sample' }],
    [{ kl_penalty_coef: 0.1, kl_penalty_source: 'current_learner' }, { kl_penalty_source: 'current_learner' }],
    [
      { scale_rewards: false, learning_rate: 0 },
      { scale_rewards: false, learning_rate: 0 },
    ],
    [
      { weight_decay: 0, seed: 0, lr_schedule: 'linear' },
      { weight_decay: 0, seed: 0, lr_schedule: 'linear' },
    ],
  ] as const)('%j gives %j', (input, expected) => {
    expect(resolveRlConfig(input)).toMatchObject(expected);
  });
});

describe('resolveSftConfig', () => {
  const DEFAULTS = {
    ...SHARED_DEFAULTS,
    weight_decay: 0,
    max_grad_norm: 1,
    batch_size: 2,
    n_epochs: 1,
    learning_rate: 5e-5,
    assistant_turns: 'all',
    metric_logging: { enabled: false, target_training_step: 1 },
    validation_data_url: null,
    validation_fraction: null,
    validation_every: null,
    early_stopping: null,
  };

  it.each([
    [null],
    [{}],
    [{ batch_size: 'auto', n_epochs: 'auto', learning_rate: null, seed: null, metric_logging: {} }],
  ] as const)('gives the defaults for %j', (input) => {
    expect(resolveSftConfig(input)).toEqual(DEFAULTS);
  });

  it('keeps what is given', () => {
    const given = {
      lr_schedule: 'cosine',
      warmup_steps: 0,
      warmup_ratio: null,
      weight_decay: 0.5,
      max_grad_norm: 2,
      seed: 0,
      lora: {
        ...{ rank: 4, alpha: 8, target_modules: ['q_proj'] },
        ...{ use_rslora: true, rank_pattern: { q_proj: 2 }, alpha_pattern: {} },
      },
      parent_step: 0,
      checkpoint_every: 1,
      batch_size: 8,
      n_epochs: 3,
      learning_rate: [1e-4, 0],
      assistant_turns: 'last',
      metric_logging: { enabled: true, target_training_step: 3 },
      validation_data_url: null,
      validation_fraction: 0.1,
      validation_every: 5,
      early_stopping: { patience: 1, min_delta: 0.5 },
    } as const;
    expect(resolveSftConfig(given)).toEqual(given);
  });
});
