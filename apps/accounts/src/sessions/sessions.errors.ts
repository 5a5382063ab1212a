import { DomainError } from '@hone/platform';

/** Unknown, redeemed or expired: the answer does not say which. */
export class SignInCodeInvalidError extends DomainError {
  static override readonly kind = 'unauthenticated';
  static override readonly code = 'session.code_invalid';
  override readonly headers = { 'www-authenticate': 'Session realm="hone"' };
  constructor() {
    super('This sign-in link was used or is older than a minute. Make a new one, or sign in with an API key.');
  }
}

/** The request has a key and no session. */
export class SessionMissingError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'session.not_found';
  constructor() {
    super('This request was made with a key, not with a session.');
  }
}
