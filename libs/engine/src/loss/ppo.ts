import type { LossSequence, TokenLoss } from './loss-sequence.js';
import type { RlLoss } from './loss-settings.js';
import { clipRatio, policyTerms } from './policy-terms.js';

/**
 * `-min(ratio A, clip(ratio) A)` per token, weighted and summed. Source: Schulman et al., "Proximal Policy
 * Optimization" (2017). At a tie, inside the clip range, the unclipped side alone has the gradient.
 */
export function ppo(settings: RlLoss, sequence: LossSequence): TokenLoss {
  const { ratios, advantage, weight } = policyTerms(settings, sequence);
  let loss = 0;
  const upstream = ratios.values.map((ratio, at) => {
    const [a, w] = [advantage[at] as number, weight[at] as number];
    const clipped = clipRatio(settings, ratio) * a;
    loss -= Math.min(ratio * a, clipped) * w;
    return ratio * a <= clipped ? a * w : 0;
  });
  return { loss, coefficients: ratios.pullBack(upstream) };
}
