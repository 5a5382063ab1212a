import { DomainError } from '@hone/platform';

/** As many scores wait for their calls as may in a project. */
export class WaitingScoresFullError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'quota.waiting_scores_full';
  override readonly headers = { 'retry-after': '30' };
  constructor(limit: number) {
    super(`In this project ${limit} scores wait for their calls, which is the limit; send the spans first.`);
  }
}
