import { DomainError } from '@hone/platform';

/** An unknown object, version or alias, or an object of another class. */
export class DatasetNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'dataset.not_found';
}
