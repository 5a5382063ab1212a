import type { SessionDto } from '@hone/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { createContext, useContext } from 'react';

import { hone } from './hone.js';

/** Who is signed in; null: nobody. */
export const SESSION_QUERY = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await hone.accounts.getSessionStatus({ signal })).session,
});

/** Shows the session that was just opened, and nothing of one before it. */
export function startSession(queries: QueryClient, session: SessionDto): void {
  // Not the session's own query: the page that asks for a key listens to it.
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_QUERY.queryKey[0] });
  queries.setQueryData(SESSION_QUERY.queryKey, session);
}

export const SessionContext = createContext<SessionDto | null>(null);

/** @throws outside of a page that needs a session */
export function useSession(): SessionDto {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in.');
  return session;
}
