import { cispo } from './cispo.js';
import { crossEntropy } from './cross-entropy.js';
import type { LossSequence, TokenLoss } from './loss-sequence.js';
import type { LossSettings } from './loss-settings.js';
import { ppo } from './ppo.js';

/** The loss of a row, and its gradient by the log-probabilities of each sequence's trained tokens. */
export interface RowLoss {
  readonly loss: number;
  /** {@link TokenLoss.coefficients} in the order of the row's sequences. */
  readonly coefficients: readonly Float64Array[];
}

/**
 * The loss of a row in float64, from log-probabilities alone. The gradient of every loss by the weights of a model is
 * `-sum of coefficient * gradient of lp`, so an engine that knows nothing of losses can take the step.
 */
export function rowLoss(settings: LossSettings, row: readonly LossSequence[]): RowLoss {
  const losses = row.map((sequence) => tokenLoss(settings, sequence));
  return {
    loss: losses.reduce((sum, { loss }) => sum + loss, 0),
    coefficients: losses.map(({ coefficients }) => coefficients),
  };
}

function tokenLoss(settings: LossSettings, sequence: LossSequence): TokenLoss {
  if (settings.kind === 'sft') return crossEntropy(sequence);
  switch (settings.lossFn) {
    case 'cispo':
      return cispo(settings, sequence);
    case 'ppo':
      return ppo(settings, sequence);
  }
}
