import { DomainError } from '@hone/platform';

/** The user is no member of the entity. */
export class MemberNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'member.not_found';
  constructor(username: string, entity: string) {
    super(`'${username}' is no member of entity '${entity}'.`);
  }
}

/** The change would leave an entity without an owner. Make another member owner first. */
export class LastOwnerError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'member.last_owner';
  constructor(username: string, entity: string) {
    super(`'${username}' is the last owner of entity '${entity}'.`);
  }
}
