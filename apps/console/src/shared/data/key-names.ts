import { useQuery } from '@tanstack/react-query';

import { hone } from './hone.js';

/** Id of a key -> what its owner called it, of the keys that the session may see. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const keys = useQuery({
    queryKey: ['api keys'],
    queryFn: ({ signal }) => hone.accounts.listApiKeys({ signal }),
    // A key without the scope for accounts sees ids.
    retry: false,
  });
  return new Map(keys.data?.data.map(({ id, label, prefix }) => [id, `${label} (${prefix}…)`]));
}
