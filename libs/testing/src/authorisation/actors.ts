import { type Role, type Scope, SCOPES } from '@hone/contracts';

import { basic, type TestApp, type TestClient } from '../app/test-app.js';
import type { TestUserOptions } from '../database/accounts.builder.js';

/** Users that the callers are: without a role, with each role, and an admin. */
const USERS = ['outsider', 'reader', 'annotator', 'writer', 'owner', 'admin'] as const;
type User = (typeof USERS)[number];

/** Keys of these users that are bound to the target `own`. */
export const BOUND_ACTORS = USERS.map((user) => `bound-${user}` as const);

/**
 * Who may call: without credentials, each user with an unrestricted key and with a bound one, and the owner with two more
 * kinds of lesser keys: `unscoped`, and `bound` to another project of the entity.
 */
export const ACTORS = ['nobody', ...USERS, ...BOUND_ACTORS, 'unscoped', 'bound'] as const;
export type Actor = (typeof ACTORS)[number];

/** The entity in which the members have their roles. */
export const OWN_ENTITY = 'acme';
/** Its project that the target `own` names. */
export const OWN_PROJECT = 'demo';

/** Members of {@link OWN_ENTITY} with an unrestricted key. */
export const isMember = (actor: Actor): actor is Role => ['reader', 'annotator', 'writer', 'owner'].includes(actor);

/** The user behind an actor, and whether the key is bound to the target `own`. */
export function userOf(actor: Actor): { user: Actor; isBound: boolean } {
  const isBound = actor.startsWith('bound-');
  return { user: isBound ? (actor.slice('bound-'.length) as User) : actor, isBound };
}

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
  const { user, isBound } = userOf(actor);
  if (isBound) return { ...optionsOf(user, scope), onlyProject: `${OWN_ENTITY}/${OWN_PROJECT}` };
  const roles = { [OWN_ENTITY]: 'owner' } as const;
  if (actor === 'unscoped') return { roles, scopes: SCOPES.filter((one) => one !== scope) };
  if (actor === 'bound') return { roles, onlyProject: `${OWN_ENTITY}/other` };
  return { isAdmin: actor === 'admin' };
}
