import { DomainError } from '@hone/platform';

/** The project has no such table. */
export class TableNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'table.not_found';
  constructor(digest: string, projectId: string) {
    super(`'${projectId}' has no table '${digest}'.`);
  }
}

/** A live version of an object names the table: delete the version first. */
export class TableInUseError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'table.in_use';
  constructor(digest: string, objectId: string) {
    super(`A live version of '${objectId}' names table '${digest}'. Delete the version first.`);
  }
}
