import type { LossSequence, TokenLoss } from './loss-sequence.js';
import type { RlLoss } from './loss-settings.js';
import { clipRatio, policyTerms } from './policy-terms.js';

/** `-clip(sg(ratio)) A lp` per token, weighted and summed. Source: MiniMax, "MiniMax-M1" (2025). */
export function cispo(settings: RlLoss, sequence: LossSequence): TokenLoss {
  const { ratios, advantage, weight } = policyTerms(settings, sequence);
  const coefficients = ratios.values.map(
    (ratio, at) => clipRatio(settings, ratio) * (advantage[at] as number) * (weight[at] as number),
  );
  const loss = -coefficients.reduce((sum, value, at) => sum + value * (sequence.lp[at] as number), 0);
  return { loss, coefficients };
}
