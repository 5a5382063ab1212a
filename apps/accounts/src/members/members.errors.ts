import { DomainError } from '@hone/platform';

/** The user is no member of the entity. */
export class MemberNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'member.not_found';
  constructor(username: string, entity: string) {
    super(`'${username}' is no member of entity '${entity}'.`);
  }
}

/** The change would leave an entity without an owner. Make another member owner first. */
export class LastOwnerError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'member.last_owner';
  constructor(username: string, entity: string) {
    super(`'${username}' is the last owner of entity '${entity}'.`);
  }
}
