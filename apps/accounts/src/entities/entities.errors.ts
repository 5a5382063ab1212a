import { DomainError } from '@hone/platform';

/** No entity has this name. Only admins get this answer. */
export class EntityNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'entity.not_found';
  constructor(name: string) {
    super(`There is no entity '${name}'.`);
  }
}

/** A team or a user has this name. */
export class EntityNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'entity.name_taken';
  constructor(name: string) {
    super(`The entity name '${name}' is taken.`);
  }
}
