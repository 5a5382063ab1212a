import type { SessionDto } from '@hone/client';
import { createContext, useContext } from 'react';

export const SESSION_QUERY = ['session'];

export const SessionContext = createContext<SessionDto | null>(null);

/** @throws outside of a page that needs a session */
export function useSession(): SessionDto {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Nobody is signed in.');
  return session;
}
