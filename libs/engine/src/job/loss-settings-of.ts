import type { RlLoss } from '../loss/index.js';
import type { RlLossSpec } from './training-spec.js';

/** Turns the settings of a job into those of the loss graph. */
export function lossSettingsOf(spec: RlLossSpec): RlLoss {
  return {
    kind: 'rl',
    lossFn: spec.loss_fn,
    epsilon: spec.epsilon,
    epsilonHigh: spec.epsilon_high,
    level: spec.importance_sampling_level,
    truncation: spec.truncated_importance_sampling,
    maxRatio: spec.max_negative_advantage_importance_sampling_weight,
    maskOutsideClip: spec.mask_prob_ratio,
    tau: spec.kimi_k2_tau ?? 0,
  };
}
