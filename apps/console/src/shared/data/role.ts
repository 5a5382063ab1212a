import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';
import { useProject } from './project.js';

/** Each includes those before it. */
export const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

const STALE_MS = 60_000;

/** What the signed-in user may do in the project. */
export interface Rights {
  readonly mayAnnotate: boolean;
  readonly mayWrite: boolean;
  readonly mayOwn: boolean;
  /** Of the whole server. */
  readonly mayAdminister: boolean;
}

/**
 * Decides which controls a page shows. Until the role is known there are none; a key that may not read its own roles is
 * shown all of them, and the server decides.
 */
export function useRights(): Rights {
  const { entity } = useProject();
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => hone.accounts.getMe({ signal }),
    staleTime: STALE_MS,
    retry: false,
  });
  if (me.isPending) return toRights(undefined, false);
  if (me.error) return toRights('owner', true);
  const { user, entities } = me.data;
  return toRights(entities.find(({ name }) => name === entity)?.role, user.is_admin);
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
