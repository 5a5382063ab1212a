import type { PlanDraft } from '@hone/training-jobs';

import type { JobSettings } from '../planning/resolved-job.js';

/** Metric of a gradient step -> name of its mean in the checkpoint. */
const NAMES: Record<string, string> = {
  loss: 'loss/train',
  grad_norm: 'loss/grad_norm',
  entropy: 'loss/entropy',
  learning_rate: 'loss/learning_rate',
  kl_policy_ref: 'loss/kl_policy_ref',
  'rewards/accuracy': 'preference/accuracy',
  'rewards/margin': 'preference/margin',
};

/** Metrics of a gradient step of which a checkpoint has the last value, not the mean. */
export const VALIDATION_METRICS = ['validation_loss', 'best_validation_loss', 'validation_accuracy'];

/** What a job has done up to a checkpoint. */
export interface JobProgress {
  /** Metrics of its gradient steps by name: means, but the last value of validation metrics. */
  readonly means: Readonly<Record<string, number>>;
  /** Of the checkpoint's weights. Undefined: none was taken. */
  readonly validationLoss: number | undefined;
  readonly trainerTokens: number;
  readonly gradientSteps: number;
}

/** The metrics that a checkpoint keeps of the job that made it. */
export function checkpointMetrics(
  settings: JobSettings,
  plan: PlanDraft,
  { means, validationLoss, trainerTokens, gradientSteps }: JobProgress,
): Record<string, number> {
  const { num_groups_submitted, num_groups_trainable, num_trajectories } = plan.started;
  const { reward_mean, reward_std_dev, reward_zero_share } = plan.started;
  const isLogged = settings.kind !== 'rl' && settings.config.metric_logging.enabled;
  const renamed = Object.entries(means).flatMap(([name, mean]) => [
    ...(NAMES[name] ? [[NAMES[name], mean]] : []),
    ...(isLogged ? [[`${settings.kind}/${name}`, mean]] : []),
  ]);
  return {
    ...(Object.fromEntries(renamed) as Record<string, number>),
    ...(validationLoss !== undefined && { 'loss/validation': validationLoss }),
    'data/step_num_groups_submitted': num_groups_submitted,
    'data/step_num_groups_trainable': num_groups_trainable,
    'data/step_num_gradient_steps': gradientSteps,
    'data/step_num_trajectories': num_trajectories,
    'data/step_trainer_tokens': trainerTokens,
    ...(reward_mean !== undefined && { 'data/step_reward_mean': reward_mean }),
    ...(reward_std_dev !== undefined && { 'data/step_reward_std_dev': reward_std_dev }),
    ...(reward_zero_share !== undefined && { 'data/step_reward_zero_share': reward_zero_share }),
  };
}
