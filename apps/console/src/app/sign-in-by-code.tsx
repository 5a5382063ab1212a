import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

import { hone } from '../shared/data/hone.js';
import { startSession } from '../shared/data/session.js';
import { Page } from '../shared/page/page.js';
import { Button } from '../shared/ui/button.js';
import { ErrorNote, Loading } from '../shared/ui/notes.js';

/** The page of a sign-in link, whose fragment is the code: servers and their logs never see a fragment. */
export function SignInByCode() {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const isRedeemed = useRef(false);
  const redeeming = useMutation({
    mutationFn: (code: string) => hone.accounts.redeemSignInCode({ code }),
    onSuccess: (session) => {
      startSession(queries, session);
      navigate('/', { replace: true });
    },
  });
  useEffect(() => {
    // Once, though React mounts the page twice while it is developed.
    if (isRedeemed.current) return;
    isRedeemed.current = true;
    const code = location.hash.slice(1);
    if (code === '') navigate('/', { replace: true });
    else redeeming.mutate(code);
  }, [navigate, redeeming]);
  return (
    <Page title="Sign in to Hone">
      {redeeming.error ? (
        <>
          <ErrorNote error={redeeming.error} />
          <Button onClick={() => navigate('/', { replace: true })}>Sign in with a key</Button>
        </>
      ) : (
        <Loading what="your session" />
      )}
    </Page>
  );
}
