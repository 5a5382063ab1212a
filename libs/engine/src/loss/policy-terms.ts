import { type ImportanceRatios, importanceRatios } from './importance-ratios.js';
import type { LossSequence } from './loss-sequence.js';
import type { RlLoss } from './loss-settings.js';

/** What every policy loss is made of, per trained token. */
export interface PolicyTerms {
  readonly ratios: ImportanceRatios;
  /** After the pull to the old policy. */
  readonly advantage: Float64Array;
  /** After truncated importance sampling; a constant of the step. */
  readonly weight: Float64Array;
}

export function policyTerms(settings: RlLoss, { lp, old, advantage, weight, drift }: LossSequence): PolicyTerms {
  const differences = Float64Array.from(lp, (value, at) => {
    const before = old[at] as number;
    return Number.isNaN(before) ? 0 : value - before;
  });
  const ratios = importanceRatios(settings, differences);
  const { tau, truncation } = settings;
  return {
    ratios,
    advantage: Float64Array.from(advantage, (value, at) => value - tau * (differences[at] as number)),
    weight: Float64Array.from(weight, (value, at) => {
      if (truncation === null) return value;
      const drifted = drift[at] as number;
      return value * Math.min(Number.isNaN(drifted) ? (ratios.values[at] as number) : drifted, truncation);
    }),
  };
}

export const clipRatio = ({ epsilon, epsilonHigh }: RlLoss, ratio: number): number =>
  Math.min(Math.max(ratio, 1 - epsilon), 1 + epsilonHigh);
