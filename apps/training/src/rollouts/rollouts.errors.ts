import { DomainError } from '@hone/platform';

/** The job learned from no rollouts, or from data that is not at hand any more. */
export class RolloutsNotKeptError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'rollouts.not_kept';
  /** @param why a sentence */
  constructor(why: string) {
    super(why);
  }
}

/** No rollout of the job is at this position. */
export class RolloutNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'rollout.not_found';
  constructor(group: string, index: string) {
    super(`The job has no rollout ${index} in a group ${group}.`);
  }
}
