import { DomainError } from '@hone/platform';

/** An unknown object, version or alias, or an object of another class. */
export class ScorerNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'scorer.not_found';
}
