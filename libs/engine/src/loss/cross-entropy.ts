import type { LossSequence, TokenLoss } from './loss-sequence.js';

/** Supervised fine-tuning: `-weight * lp`, summed. */
export function crossEntropy({ lp, weight }: Pick<LossSequence, 'lp' | 'weight'>): TokenLoss {
  const coefficients = Float64Array.from(weight);
  return { loss: -coefficients.reduce((sum, value, at) => sum + value * (lp[at] as number), 0), coefficients };
}
