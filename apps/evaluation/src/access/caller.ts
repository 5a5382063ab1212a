import { AccessDeniedError, type Principal } from '@hone/auth';

/** @throws AccessDeniedError the key does not open this surface */
export function assertTraceScope(caller: Principal): void {
  if (!caller.scopes.has('trace')) throw AccessDeniedError.needsScope('trace');
}
