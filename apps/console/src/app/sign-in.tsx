import { AuthenticationError } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { honeOf } from '../shared/data/hone.js';
import { startSession } from '../shared/data/session.js';
import { Button } from '../shared/ui/button.js';
import { Input } from '../shared/ui/input.js';
import styles from './sign-in.module.css';

/** Asks for a key once; what the browser keeps is the cookie of a session. */
export function SignIn() {
  const [key, setKey] = useState('');
  const queries = useQueryClient();
  const opening = useMutation({
    mutationFn: () => honeOf(key.trim()).accounts.openSession(),
    onSuccess: (session) => startSession(queries, session),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opening.mutate();
  };
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Sign in to Hone</h1>
        <form onSubmit={submit}>
          <label>
            API key
            <Input
              type="password"
              autoComplete="current-password"
              placeholder="hone-…"
              required
              autoFocus
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          </label>
          <Button type="submit" kind="primary" disabled={opening.isPending || key.trim() === ''}>
            Sign in
          </Button>
          <div role="alert" className={styles['problem']}>
            {opening.error &&
              (opening.error instanceof AuthenticationError
                ? 'This key is not valid: it is unknown, expired or revoked.'
                : opening.error.message)}
          </div>
        </form>
        <p className={styles['hint']}>
          <code>npm start</code> prints a link that signs you in, and keeps the first key in <code>.hone/api-key</code>.
        </p>
      </div>
    </main>
  );
}
