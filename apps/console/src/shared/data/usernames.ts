import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';

const STALE_MS = 60_000;

/**
 * Shows a user's name in place of their id. Only an admin may list users: others see their own name, and the end of the
 * ids of others, which tells these apart.
 */
export function useUsernames(): (id: string) => string {
  const users = useQuery({
    queryKey: ['usernames'],
    queryFn: async ({ signal }) => {
      const { user } = await hone.accounts.getMe({ signal });
      if (!user.is_admin) return new Map([[user.id, user.username]]);
      const { data } = await hone.accounts.listUsers({ signal });
      return new Map(data.map(({ id, username }) => [id, username]));
    },
    staleTime: STALE_MS,
    retry: false,
  });
  return (id) => users.data?.get(id) ?? `…${id.slice(-6)}`;
}
