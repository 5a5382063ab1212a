import { AccessDeniedError, type Principal } from '@hone/auth';

/** @throws AccessDeniedError the key does not open this surface */
export function assertAccountScope(caller: Principal): void {
  if (!caller.scopes.has('account')) throw AccessDeniedError.needsScope('account');
}

/** @throws AccessDeniedError the key does not open this surface, or its user is no admin */
export function assertAdmin(caller: Principal): void {
  assertAccountScope(caller);
  if (!caller.isAdmin) throw AccessDeniedError.needsAdmin();
}

/**
 * Users, entities and members are outside of any project, so a key that is bound to one project does not change them.
 *
 * @throws AccessDeniedError
 */
export function assertUnbound(caller: Principal): void {
  assertAccountScope(caller);
  if (caller.onlyProject !== null) throw AccessDeniedError.boundTo(caller.onlyProject);
}
