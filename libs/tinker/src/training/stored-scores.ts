import { type PlanRow, type Scorer, trainedPositions, type TrainSequence } from '@hone/engine';

import type { RemoteModel, RemoteScores } from './remote-model.js';

/** Log-probabilities of a whole plan under weights that do not change. */
export class StoredScores {
  private constructor(private readonly rows: readonly (readonly RemoteScores[])[]) {}

  static async take(model: RemoteModel, rows: readonly PlanRow[]): Promise<StoredScores> {
    const scores: RemoteScores[][] = [];
    // A row of a later epoch repeats one of the first.
    for (const { repeats, sequences } of rows) {
      scores.push(repeats === undefined ? await model.score(sequences.map(toSequence)) : (scores[repeats] ?? []));
    }
    return new StoredScores(scores);
  }

  /** Log-probabilities of one row. */
  at(index: number): Scorer {
    return { score: async () => this.rows[index] ?? [] };
  }
}

function toSequence({ ids, mask }: PlanRow['sequences'][number]): TrainSequence {
  const trained = trainedPositions({ mask });
  return { ids, trained, weight: new Float64Array(trained.length) };
}
