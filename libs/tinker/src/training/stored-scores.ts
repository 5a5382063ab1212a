import { type PlanRow, type Scorer, toScored } from '@hone/engine';

import type { RemoteModel, RemoteScores } from './remote-model.js';

/** Log-probabilities of a whole plan under weights that do not change. */
export class StoredScores {
  private constructor(private readonly rows: readonly (readonly RemoteScores[])[]) {}

  static async take(
    model: RemoteModel,
    rows: readonly Pick<PlanRow, 'repeats' | 'sequences'>[],
  ): Promise<StoredScores> {
    const scores: RemoteScores[][] = [];
    // A row of a later epoch repeats one of the first.
    for (const { repeats, sequences } of rows) {
      scores.push(repeats === undefined ? await model.score(toScored(sequences)) : (scores[repeats] ?? []));
    }
    return new StoredScores(scores);
  }

  /** Log-probabilities of one row. */
  at(index: number): Scorer {
    return { score: async () => this.rows[index] ?? [] };
  }
}
