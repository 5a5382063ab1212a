import { DomainError } from '@hone/platform';

/** An unknown op, version or alias, or an object that is no op. */
export class OpNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'op.not_found';
}
