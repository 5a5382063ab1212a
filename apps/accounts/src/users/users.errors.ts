import { DomainError } from '@hone/platform';

/** No user has this name. */
export class UserNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'user.not_found';
  constructor(username: string) {
    super(`There is no user '${username}'.`);
  }
}

/** A user has this name, or it is `api`, which goes with every key. */
export class UsernameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'user.username_taken';
  constructor(username: string) {
    super(`The username '${username}' is taken.`);
  }
}
