import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';

const STALE_MS = 60_000;
/** Of an id that stands in place of a name. */
const SHOWN_CHARACTERS = 6;
const ELLIPSIS = '…';
const NOBODY: ReadonlyMap<string, string> = new Map();

/** The names of users by their ids. Only an admin may list users: others know their own name. */
function useKnownUsers(): ReadonlyMap<string, string> {
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
  return users.data ?? NOBODY;
}

/** Shows a user's name in place of their id; of others than one knows, the end of the id, which tells them apart. */
export function useUsernames(): (id: string) => string {
  const users = useKnownUsers();
  return (id) => users.get(id) ?? ELLIPSIS + id.slice(-SHOWN_CHARACTERS);
}

/** Users that one looks for by what is shown of them. */
export interface UsersNamed {
  readonly ids: readonly string[];
  /** How the id of users without a name ends; '': none is looked for. */
  readonly end: string;
}

/** @param part of the name, or an id as {@link useUsernames} shows it; '' looks for nobody */
export function useUsersNamed(part: string): UsersNamed {
  const users = useKnownUsers();
  const wanted = part.trim().toLowerCase();
  const ids = [...users].flatMap(([id, name]) => (wanted !== '' && name.toLowerCase().includes(wanted) ? [id] : []));
  return { ids, end: wanted.startsWith(ELLIPSIS) ? wanted.slice(ELLIPSIS.length) : '' };
}
