import { useProject } from './project.js';
import { useSession } from './session.js';

/** Each includes those before it. */
export const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What the signed-in user may do in the project. */
export interface Rights {
  readonly mayAnnotate: boolean;
  readonly mayWrite: boolean;
  readonly mayOwn: boolean;
  /** Of the whole server. */
  readonly mayAdminister: boolean;
}

/** Decides which controls a page shows. Signing in says it, and so does each look whether the session lasts. */
export function useRights(): Rights {
  const { entity } = useProject();
  const { roles, is_admin, scopes } = useSession();
  const rights = toRights(roles.find((one) => one.entity === entity)?.role, is_admin);
  // What is about the whole server is behind the surface of accounts.
  return { ...rights, mayAdminister: rights.mayAdminister && scopes.includes('account') };
}

/** Without a role nothing but reading is left; an administrator is owner everywhere. */
export function toRights(role: string | undefined, isAdmin: boolean): Rights {
  const rank = isAdmin ? ROLES.indexOf('owner') : ROLES.findIndex((name) => name === role);
  return {
    mayAnnotate: rank >= ROLES.indexOf('annotator'),
    mayWrite: rank >= ROLES.indexOf('writer'),
    mayOwn: rank >= ROLES.indexOf('owner'),
    mayAdminister: isAdmin,
  };
}
