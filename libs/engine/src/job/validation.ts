import type { PlannedSequence } from '../plan/plan.js';
import { validationInterval } from '../plan/validation-split.js';
import type { Scorer, TrainSequence } from '../train/train-sequence.js';
import { trainedPositions } from './trained-positions.js';

/** Computes the loss of held-out lines between gradient steps; changes no weights. */
export class Validation {
  private readonly row: readonly TrainSequence[];
  private readonly every: number;

  /** @param sequences at least one, each with a trained token */
  constructor(sequences: readonly PlannedSequence[], every: number | null) {
    this.row = sequences.map(({ ids, mask }) => {
      const trained = trainedPositions({ mask });
      return { ids, trained, weight: new Float64Array(trained.length) };
    });
    this.every = validationInterval(every, sequences.length);
  }

  /** The last step is always evaluated. */
  isDue(k: number, lastStep: number): boolean {
    return k % this.every === 0 || k === lastStep;
  }

  /** Cross entropy over all trained tokens under the current weights, in nats per token; may be not finite. */
  async lossOf(learner: Scorer): Promise<number> {
    let sum = 0;
    let count = 0;
    for (const { lp } of await learner.score(this.row)) {
      for (const value of lp) sum -= value;
      count += lp.length;
    }
    return sum / count;
  }
}
