import { DomainError } from '@hone/platform';

/** Unknown. */
export class ScoringNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'scoring.not_found';
  constructor(id: string) {
    super(`There is no scoring '${id}'.`);
  }
}

/** It is over: there is nothing to cancel. */
export class ScoringFinishedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'scoring.already_finished';
  constructor(id: string, status: string) {
    super(`Scoring '${id}' is over (${status}); it cannot be cancelled.`);
  }
}

/** As many as may be open in a project. Nothing was stored. */
export class ScoringQueueFullError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'quota.scorings_full';
  override readonly headers = { 'retry-after': '30' };
  constructor(limit: number) {
    super(`This project has ${limit} open scorings, which is the limit; wait for one to end, or cancel one.`);
  }
}
