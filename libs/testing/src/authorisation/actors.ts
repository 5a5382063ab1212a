import { SCOPES, type Role, type Scope } from '@hone/contracts';

import { basic, type TestApp, type TestClient } from '../app/test-app.js';
import type { TestUserOptions } from '../database/accounts.builder.js';

/** Who may call: without credentials, without a role, with each role, and the owner with two kinds of lesser keys. */
export const ACTORS = [
  'nobody',
  'outsider',
  'reader',
  'annotator',
  'writer',
  'owner',
  'admin',
  'unscoped',
  'bound',
] as const;
export type Actor = (typeof ACTORS)[number];

/** The entity in which the members have their roles. */
export const OWN_ENTITY = 'acme';

/** Members of {@link OWN_ENTITY} with an unrestricted key. */
export const isMember = (actor: Actor): actor is Role => ['reader', 'annotator', 'writer', 'owner'].includes(actor);

/** Creates all actors. @param scope that the key of `unscoped` lacks */
export async function callersOf(
  app: TestApp,
  scope: Scope,
  scheme: 'basic' | 'bearer',
): Promise<Record<Actor, TestClient>> {
  const callers = { nobody: app.as(undefined) } as Record<Actor, TestClient>;
  for (const actor of ACTORS.slice(1)) {
    const { key } = await app.user(`the-${actor}`, optionsOf(actor, scope));
    callers[actor] = app.as(scheme === 'basic' ? basic('api', key) : `Bearer ${key}`);
  }
  return callers;
}

function optionsOf(actor: Actor, scope: Scope): TestUserOptions {
  if (isMember(actor)) return { roles: { [OWN_ENTITY]: actor } };
  const roles = { [OWN_ENTITY]: 'owner' } as const;
  if (actor === 'unscoped') return { roles, scopes: SCOPES.filter((one) => one !== scope) };
  if (actor === 'bound') return { roles, onlyProject: `${OWN_ENTITY}/other` };
  return { isAdmin: actor === 'admin' };
}
