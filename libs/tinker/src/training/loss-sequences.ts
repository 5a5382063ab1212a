import type { LossSequence, TrainSequence } from '@hone/engine';

/** A row as its loss sees it, with the log-probabilities that a server found. */
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
