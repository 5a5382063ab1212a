import { DomainError } from '@hone/platform';

/** There is no such checkpoint, or its model is deleted. */
export class LineageNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.not_found';
  constructor(checkpointId: string) {
    super(`There is no checkpoint '${checkpointId}'.`);
  }
}
