import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';
import { useProject } from './project.js';

/** Each includes those before it. */
export const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

const KNOWN_FOR_MS = 60_000;

const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => hone.accounts.getMe({ signal }),
    staleTime: KNOWN_FOR_MS,
    // A key without the scope for accounts is not told.
    retry: false,
  });

/**
 * Whether the session may do what the role may in the project, so that nobody is offered what would only be refused.
 * Where that cannot be known, true: the server decides in any case.
 */
export function useMay(role: Role): boolean {
  const { entity } = useProject();
  const { data: me, isPending } = useMe();
  if (!me) return !isPending;
  if (me.user.is_admin) return true;
  const own = me.entities.find(({ name }) => name === entity)?.role;
  return ROLES.indexOf(own as Role) >= ROLES.indexOf(role);
}

/** Whether the session administers the server. */
export const useIsAdmin = (): boolean => useMe().data?.user.is_admin ?? false;
