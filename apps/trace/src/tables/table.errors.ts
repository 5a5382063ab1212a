import { DomainError } from '@hone/platform';

/** The project has no such table. */
export class TableNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'table.not_found';
  constructor(digest: string, projectId: string) {
    super(`'${projectId}' has no table '${digest}'.`);
  }
}
