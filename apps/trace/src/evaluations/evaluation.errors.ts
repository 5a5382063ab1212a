import { DomainError } from '@hone/platform';

/** An unknown object, version or alias, or an object of another class. */
export class EvaluationNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'evaluation.not_found';
}
