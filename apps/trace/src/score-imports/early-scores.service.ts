import { Injectable } from '@nestjs/common';

import type { ImportedScore } from './imported-score.js';
import { feedbackIdOf } from './score-feedback.js';
import { WaitingScoresFullError } from './score-imports.errors.js';
import { type ScoreSender, WaitingScoresRepository } from './waiting-scores.repository.js';

/** Scores that may wait in a project, an agent's run of hours included. */
export const MAX_WAITING = 100_000;

/** Scores that were not kept. */
export interface RefusedScores {
  /** Another's score with the same id waits. */
  readonly taken: readonly ImportedScore[];
  /** There is no room for them. */
  readonly full: { readonly scores: readonly ImportedScore[]; readonly error: WaitingScoresFullError };
}

/** Keeps scores that come before their calls. */
@Injectable()
export class EarlyScores {
  constructor(private readonly waiting: WaitingScoresRepository) {}

  /** Of scores with one id the last one counts. @returns those that were not kept */
  async keep(sender: ScoreSender, scores: readonly ImportedScore[]): Promise<RefusedScores> {
    const error = new WaitingScoresFullError(MAX_WAITING);
    if (scores.length === 0) return { taken: [], full: { scores: [], error } };
    const newest = new Map(scores.map((score) => [feedbackIdOf(score), score]));
    const room = MAX_WAITING - (await this.waiting.count(sender.projectRowId, MAX_WAITING));
    const [kept, full] = [[...newest].slice(0, room), [...newest.values()].slice(room)];
    const ids = kept.length === 0 ? new Set<string>() : await this.waiting.add(sender, new Map(kept));
    return {
      taken: kept.filter(([id]) => !ids.has(id)).map(([, score]) => score),
      full: { scores: full, error },
    };
  }
}
