import type { PlanRow } from '../plan/plan.js';
import type { TrainSequence } from '../train/train-sequence.js';
import { trainedPositions } from './trained-positions.js';

/** A batch of fine-tuning: every trained token counts the same. */
interface SftRow {
  readonly sequences: readonly TrainSequence[];
  readonly numTrajectories: number;
  readonly numTrainableTokens: number;
  /** Context included. */
  readonly numTokens: number;
}

/** The loss of a batch is the sum of cross entropies over its number of trained tokens. */
export function settleSftRow({ sequences, numTrajectories }: PlanRow): SftRow {
  const positions = sequences.map(trainedPositions);
  const count = positions.reduce((total, trained) => total + trained.length, 0);
  return {
    sequences: sequences.map(({ ids }, index) => {
      const trained = positions[index] as number[];
      return { ids, trained, weight: new Float64Array(trained.length).fill(1 / count) };
    }),
    numTrajectories,
    numTrainableTokens: count,
    numTokens: sequences.reduce((total, { ids }) => total + ids.length, 0),
  };
}
