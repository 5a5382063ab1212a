import { AuthenticationError } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { SESSION_QUERY, SessionContext } from '../shared/data/session.js';
import { PendingPage } from '../shared/page/pending-page.js';
import { SignIn } from './sign-in.js';

const CHECK_MS = 60_000;

/** Shows its content to those who are signed in, and asks the others for a key. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useQuery({ ...SESSION_QUERY, refetchInterval: CHECK_MS });
  // Also after a session that ended while the page was open.
  if (session.data === null || session.error instanceof AuthenticationError) return <SignIn />;
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  const retry = () => void session.refetch();
  return <PendingPage title="Hone" what="your session" error={session.error} retry={retry} />;
}
