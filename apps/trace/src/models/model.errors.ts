import { DomainError } from '@hone/platform';

/** An unknown object, version or alias, or an object of another class. */
export class ModelNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model.not_found';
}
