import { parseJson } from '../json/index.js';
import { check } from '../validation/check.js';
import { RlJobCreateDto, SftJobCreateDto } from './jobs.dto.js';

const MODEL = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';
const rl = (config: unknown) =>
  check(RlJobCreateDto, { model_id: MODEL, trajectory_groups: [], experimental_config: config }, ['body']).issues;
const sft = (more: object) =>
  check(SftJobCreateDto, { model_id: MODEL, training_data_url: 'data:,x', ...more }, ['body']).issues;
const sentAs = (issues: { loc: unknown[]; type: string }[]) => issues.map(({ loc, type }) => [loc.slice(1), type]);

const SHARED = {
  lr_schedule: 'cosine',
  warmup_steps: 0,
  weight_decay: 0,
  max_grad_norm: 1e-3,
  seed: 0,
  lora: { rank: 256, alpha: 0.5, target_modules: ['q_proj', 'down_proj'] },
  parent_step: 0,
  checkpoint_every: 1,
};
/** Settings of both kinds of jobs, and what is wrong with them. */
const SHARED_WRONG: [name: string, value: unknown, type: string][] = [
  ['lr_schedule', 'polynomial', 'enum'],
  ['lr_schedule', 1, 'enum'],
  ['warmup_steps', -1, 'greater_than_equal'],
  ['warmup_steps', 1.5, 'int_type'],
  ['warmup_steps', 2_147_483_648, 'less_than_equal'],
  ['warmup_ratio', 1.01, 'less_than_equal'],
  ['warmup_ratio', '0.1', 'float_type'],
  ['weight_decay', -0.1, 'greater_than_equal'],
  ['weight_decay', Infinity, 'finite_number'],
  ['max_grad_norm', 0, 'greater_than'],
  ['seed', -1, 'greater_than_equal'],
  ['seed', '7', 'int_type'],
  ['seed', true, 'int_type'],
  ['lora', 8, 'dict_type'],
  ['parent_step', -1, 'greater_than_equal'],
  ['checkpoint_every', 0, 'greater_than_equal'],
  ['checkpoint_every', 0.5, 'int_type'],
  ['parent_step', 'latest', 'int_type'],
  ['parent_alias', '', 'string_too_short'],
  ['parent_alias', 1, 'string_type'],
];
const LORA_WRONG: [name: string, value: unknown, type: string, at?: number][] = [
  ['rank', 0, 'greater_than_equal'],
  ['rank', 257, 'less_than_equal'],
  ['rank', 1.5, 'int_type'],
  ['alpha', 0, 'greater_than'],
  ['alpha', 1_000_001, 'less_than_equal'],
  ['target_modules', 'q_proj', 'list_type'],
  ['target_modules', [], 'too_short'],
  ['target_modules', ['q_proj', 'lm_head'], 'enum', 1],
  ['target_modules', [null], 'enum', 0],
];

describe('a reinforcement learning job', () => {
  const ALL = {
    ...SHARED,
    learning_rate: 0,
    loss_fn: 'ppo',
    ppo: true,
    epsilon: 0,
    epsilon_high: 5,
    normalize_advantages: false,
    scale_rewards: true,
    advantage_balance: -1,
    importance_sampling_level: 'geometric_average',
    truncated_importance_sampling: 1.5,
    max_negative_advantage_importance_sampling_weight: 2,
    mask_prob_ratio: true,
    precalculate_logprobs: false,
    allow_training_without_logprobs: false,
    scale_learning_rate_by_reward_std_dev: false,
    kimi_k2_tau: 0,
    kl_penalty_coef: 0.1,
    kl_penalty_reference_step: 0,
    kl_penalty_source: 'current_learner',
    packed_sequence_length: 131_072,
    num_trajectories_learning_rate_multiplier_power: 2,
    logprob_calculation_chunk_size: 1_024,
    plot_tensors: false,
  };

  it.each([undefined, null, {}, ALL, { kl_penalty_step_lag: 1 }, { unknown: [], __proto__: 1 }])(
    'takes the configuration %j',
    (config) => expect(rl(config)).toEqual([]),
  );

  it('takes null for absent in every field', () => {
    const names = [...Object.keys(ALL), 'parent_alias', 'warmup_ratio', 'kl_penalty_step_lag', 'kl_ref_adapter_path'];
    expect(rl(Object.fromEntries(names.map((name) => [name, null])))).toEqual([]);
  });

  it.each([
    ['learning_rate', -1, 'greater_than_equal'],
    ['learning_rate', '1', 'float_type'],
    ['learning_rate', Infinity, 'finite_number'],
    ['loss_fn', 'grpo', 'enum'],
    ['ppo', 'yes', 'bool_type'],
    ['epsilon', -0.1, 'greater_than_equal'],
    ['epsilon_high', -0.1, 'greater_than_equal'],
    ['normalize_advantages', 1, 'bool_type'],
    ['advantage_balance', 1.01, 'less_than_equal'],
    ['importance_sampling_level', 'word', 'enum'],
    ['truncated_importance_sampling', 0, 'greater_than'],
    ['max_negative_advantage_importance_sampling_weight', -1, 'greater_than'],
    ['kimi_k2_tau', -1, 'greater_than_equal'],
    ['kl_penalty_coef', -1, 'greater_than_equal'],
    ['kl_penalty_reference_step', -1, 'greater_than_equal'],
    ['kl_penalty_reference_step', 1.5, 'int_type'],
    ['kl_penalty_step_lag', 0, 'greater_than_equal'],
    ['kl_penalty_source', 'base', 'enum'],
    ['kl_ref_adapter_path', '/etc/passwd', 'value_error'],
    ['kl_ref_adapter_path', '', 'value_error'],
    ['packed_sequence_length', 15, 'greater_than_equal'],
    ['packed_sequence_length', 131_073, 'less_than_equal'],
    ['num_trajectories_learning_rate_multiplier_power', -2.5, 'greater_than_equal'],
    ['logprob_calculation_chunk_size', 0, 'greater_than_equal'],
    ['plot_tensors', 0, 'bool_type'],
    ...SHARED_WRONG,
  ])('refuses %s %j', (name, value, type) => {
    expect(sentAs(rl({ [name]: value }))).toEqual([[['experimental_config', name], type]]);
  });

  it.each(LORA_WRONG)('refuses the adapter %s %j', (name, value, type, ...at) => {
    expect(sentAs(rl({ lora: { [name]: value } }))).toEqual([[['experimental_config', 'lora', name, ...at], type]]);
    expect(sentAs(sft({ config: { lora: { [name]: value } } }))).toEqual([[['config', 'lora', name, ...at], type]]);
  });

  it('says what to use instead of a path on the server', () => {
    expect(rl({ kl_ref_adapter_path: '/a' })).toEqual([
      {
        loc: ['body', 'experimental_config', 'kl_ref_adapter_path'],
        msg: 'Server-side file paths are not accepted; use kl_penalty_reference_step.',
        type: 'value_error',
      },
    ]);
  });

  it.each([
    [{ loss_fn: 'cispo', ppo: true }, 'ppo'],
    [{ loss_fn: 'ppo', ppo: false }, 'ppo'],
    [{ kl_penalty_reference_step: 1, kl_penalty_step_lag: 1 }, 'kl_penalty_step_lag'],
    [{ warmup_steps: 0, warmup_ratio: 0 }, 'warmup_ratio'],
    [{ parent_step: 0, parent_alias: 'production' }, 'parent_alias'],
  ])('refuses the contradiction %j', (config, name) => {
    expect(sentAs(rl(config))).toEqual([[['experimental_config', name], 'value_error']]);
  });

  it('names each missing field, and what is no id', () => {
    expect(sentAs(check(RlJobCreateDto, {}, ['body']).issues)).toEqual([
      [['model_id'], 'missing'],
      [['trajectory_groups'], 'missing'],
    ]);
    const wrong = { model_id: 'my-model', trajectory_groups: {}, experimental_config: [] };
    expect(sentAs(check(RlJobCreateDto, wrong, ['body']).issues)).toEqual([
      [['model_id'], 'uuid_parsing'],
      [['trajectory_groups'], 'list_type'],
      [['experimental_config'], 'dict_type'],
    ]);
  });
});

describe('a fine-tuning job', () => {
  it.each([
    {},
    { config: null, experimental_config: null },
    { config: { batch_size: 'auto', learning_rate: [0, 1e-4], assistant_turns: 'last', metric_logging: null } },
    { config: { batch_size: null, learning_rate: null, metric_logging: { enabled: true, target_training_step: 7 } } },
    { experimental_config: { anything: [1] } },
    { config: { ...SHARED, n_epochs: 100, learning_rate: 1 } },
    { config: { n_epochs: 'auto', warmup_ratio: 1, warmup_steps: null } },
    { config: { learning_rate: [1], lr_schedule: 'constant', warmup_steps: 0 } },
    { config: { lora: {} } },
    { config: { validation_fraction: 0.5, validation_every: 3, early_stopping: { patience: 1, min_delta: 0 } } },
    { config: { validation_fraction: 1e-9, early_stopping: {} } },
    { config: { validation_data_url: 'hone-artifact:///local/p/eval', validation_every: 1 } },
    { config: { validation_fraction: null, validation_every: null, early_stopping: null } },
    { config: { lora: { rank: null, alpha: null, target_modules: null, r: 8 } } },
    { config: Object.fromEntries([...Object.keys(SHARED), 'n_epochs', 'warmup_ratio'].map((name) => [name, null])) },
  ])('takes %j', (body) => expect(sft(body)).toEqual([]));

  it('reads numbers that only their text holds', () => {
    const config = parseJson('{"batch_size":4.0,"learning_rate":[1e-4,2.0]}');
    const body = { model_id: MODEL.toUpperCase(), training_data_url: 'data:,x', config };
    expect(check(SftJobCreateDto, body).value).toEqual({
      model_id: MODEL,
      training_data_url: 'data:,x',
      config: { batch_size: 4, learning_rate: [1e-4, 2] },
    });
  });

  it.each([
    [{ batch_size: 0 }, ['batch_size'], 'greater_than_equal'],
    [{ batch_size: 4_097 }, ['batch_size'], 'less_than_equal'],
    [{ batch_size: 'large' }, ['batch_size'], 'int_type'],
    [{ learning_rate: -1 }, ['learning_rate'], 'greater_than_equal'],
    [{ learning_rate: [] }, ['learning_rate'], 'value_error'],
    [{ learning_rate: [1, '2'] }, ['learning_rate', 1], 'float_type'],
    [{ learning_rate: Array.from({ length: 100_001 }, () => 1) }, ['learning_rate'], 'too_many'],
    [{ assistant_turns: 'first' }, ['assistant_turns'], 'enum'],
    [{ validation_fraction: 0 }, ['validation_fraction'], 'greater_than'],
    [{ validation_fraction: 0.51 }, ['validation_fraction'], 'less_than_equal'],
    [{ validation_fraction: 0.1, validation_every: 0 }, ['validation_every'], 'greater_than_equal'],
    [{ validation_fraction: 0.1, early_stopping: true }, ['early_stopping'], 'dict_type'],
    [
      { validation_fraction: 0.1, early_stopping: { patience: 0 } },
      ['early_stopping', 'patience'],
      'greater_than_equal',
    ],
    [
      { validation_fraction: 0.1, early_stopping: { min_delta: -1 } },
      ['early_stopping', 'min_delta'],
      'greater_than_equal',
    ],
    [{ validation_every: 1 }, ['validation_every'], 'value_error'],
    [{ validation_data_url: 'file:///etc/passwd' }, ['validation_data_url'], 'value_error'],
    [{ validation_data_url: 7 }, ['validation_data_url'], 'string_type'],
    [{ validation_data_url: 'data:,x', validation_fraction: 0.1 }, ['validation_fraction'], 'value_error'],
    [{ early_stopping: {}, validation_fraction: null }, ['early_stopping'], 'value_error'],
    [{ n_epochs: 0 }, ['n_epochs'], 'greater_than_equal'],
    [{ n_epochs: 101 }, ['n_epochs'], 'less_than_equal'],
    [{ n_epochs: 1.5 }, ['n_epochs'], 'int_type'],
    [{ warmup_steps: 1, warmup_ratio: 0.1 }, ['warmup_ratio'], 'value_error'],
    [{ learning_rate: [1], lr_schedule: 'linear' }, ['lr_schedule'], 'value_error'],
    [{ learning_rate: [1], warmup_steps: 1 }, ['warmup_steps'], 'value_error'],
    [{ learning_rate: [1], warmup_ratio: 0.1 }, ['warmup_ratio'], 'value_error'],
    ...SHARED_WRONG.map(([name, value, type]): [object, string[], string] => [{ [name]: value }, [name], type]),
    [{ metric_logging: { enabled: 1 } }, ['metric_logging', 'enabled'], 'bool_type'],
    [{ metric_logging: { target_training_step: 0 } }, ['metric_logging', 'target_training_step'], 'greater_than_equal'],
  ])('refuses the configuration %j', (config, loc, type) => {
    expect(sentAs(sft({ config }))).toEqual([[['config', ...loc], type]]);
  });

  it.each([
    'hone-artifact:///local/p/sft-1:v0',
    'x-artifact://local/p/sft-1',
    'hone-artifact:///local/p/sft-1:latest',
    'data:,{"messages":[]}',
    'DATA:application/jsonl;base64,e30=',
    'http://example.com/a.jsonl',
    'HTTPS://example.com:443/a?b=c',
  ])('takes lines from %s', (url) => expect(sft({ training_data_url: url })).toEqual([]));

  it.each([
    'file:///etc/passwd',
    'gopher://x',
    's3://bucket/key',
    'ftp://x/y',
    '/etc/passwd',
    '',
    'https://user:password@example.com/a',
    'hone-artifact:///local/p/sft-1:v01',
    'hone-artifact:///local/p/sft-1:step1',
    'hone-artifact:///local/../sft-1:v1',
    'hone-artifact:////p/sft-1:v1',
    'http://',
    `http://x/${'y'.repeat(3_000)}`,
  ])('takes no lines from %s', (url) => {
    expect(sentAs(sft({ training_data_url: url }))).toEqual([[['training_data_url'], 'value_error']]);
  });

  it('never keeps what the database cannot hold', () => {
    expect(sentAs(sft({ training_data_url: 'http://x/\0' }))).toEqual([[['training_data_url'], 'string_unicode']]);
  });
});
