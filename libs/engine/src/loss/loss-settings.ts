import type { ImportanceSamplingLevel, LossFunction } from '@hone/contracts';

/** Supervised fine-tuning: cross entropy of the trained tokens. */
interface SftLoss {
  readonly kind: 'sft';
}

/** Reinforcement learning from logged log-probabilities. */
export interface RlLoss {
  readonly kind: 'rl';
  readonly lossFn: LossFunction;
  /** The ratio is clipped to [1 - epsilon, 1 + epsilonHigh]. */
  readonly epsilon: number;
  readonly epsilonHigh: number;
  /** Between what and what the importance ratio is taken. */
  readonly level: ImportanceSamplingLevel;
  /** Upper limit of the ratio by which the loss is weighted once more; null: no such weight. */
  readonly truncation: number | null;
  /** Upper limit of the ratio itself; null: none. */
  readonly maxRatio: number | null;
  /** Tokens whose ratio is outside the clip range count nothing. */
  readonly maskOutsideClip: boolean;
  /** Pulls towards the old policy: the advantage loses `tau * (lp - old)`. */
  readonly tau: number;
}

export type LossSettings = SftLoss | RlLoss;
