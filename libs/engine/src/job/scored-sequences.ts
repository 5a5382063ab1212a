import type { PlannedSequence } from '../plan/plan.js';
import type { TrainSequence } from '../train/train-sequence.js';
import { trainedPositions } from './trained-positions.js';

/** Sequences that are only scored: the weights of their tokens are not read. */
export const toScored = (sequences: readonly Pick<PlannedSequence, 'ids' | 'mask'>[]): TrainSequence[] =>
  sequences.map(({ ids, mask }) => {
    const trained = trainedPositions({ mask });
    return { ids, trained, weight: new Float64Array(trained.length) };
  });
