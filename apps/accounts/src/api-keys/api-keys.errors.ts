import { DomainError } from '@hone/platform';

/** No key has this id, or it is another user's. */
export class ApiKeyNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'api_key.not_found';
  constructor(id: string) {
    super(`There is no API key '${id}'.`);
  }
}
