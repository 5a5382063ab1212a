import type { LossSequence, TrainSequence } from '@hone/engine';

/** The input of a row's loss, with the log-probabilities that a server computed. */
export const lossSequences = (
  row: readonly TrainSequence[],
  scores: readonly { readonly lp: ArrayLike<number> }[],
): LossSequence[] =>
  row.map(({ old, advantage, weight, drift, trained }, index) => ({
    lp: scores[index]?.lp ?? [],
    old: old ?? [],
    advantage: advantage ?? [],
    weight,
    drift: drift ?? new Float64Array(trained.length).fill(NaN),
  }));
