import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';
import { useProject } from './project.js';

const ROLES = ['reader', 'annotator', 'writer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

const KNOWN_FOR_MS = 60_000;

/**
 * Whether the session may do what the role may in the project, so that nobody is offered what would only be refused.
 * True as long as it is not known: the server decides in any case.
 */
export function useMay(role: Role): boolean {
  const { entity } = useProject();
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => hone.accounts.getMe({ signal }),
    staleTime: KNOWN_FOR_MS,
    retry: false,
  });
  if (!me.data || me.data.user.is_admin) return true;
  const own = me.data.entities.find(({ name }) => name === entity)?.role;
  return ROLES.indexOf(own as Role) >= ROLES.indexOf(role);
}
