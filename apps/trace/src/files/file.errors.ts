import { DomainError } from '@hone/platform';

/** The project has no such file. */
export class FileNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'file.not_found';
  constructor(digest: string, projectId: string) {
    super(`'${projectId}' has no file '${digest}'.`);
  }
}
