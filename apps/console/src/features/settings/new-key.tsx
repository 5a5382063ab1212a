import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSession } from '../../shared/data/session.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { expiryOf, LIFETIMES, USUAL_LIFETIME } from './expiry.js';
import { SecretKey } from './secret-key.js';
import styles from './settings.module.css';

export const KEYS = ['api keys'];
const SCOPES = ['trace', 'training', 'inference', 'account'] as const;

/** Makes a key, which is shown once. */
export function NewKey() {
  const project = useProject();
  const queries = useQueryClient();
  const { username: own } = useSession();
  const [label, setLabel] = useState('');
  const [isBound, setIsBound] = useState(false);
  const [lifetime, setLifetime] = useState<string>(USUAL_LIFETIME);
  const [username, setUsername] = useState(own);
  const [scopes, setScopes] = useState<readonly string[]>(['trace', 'training', 'inference']);
  const creating = useMutation({
    mutationFn: () =>
      hone.accounts.createApiKey({
        label: label.trim(),
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        expires_at: expiryOf(lifetime, Date.now()),
        ...(isBound && { project: project.id }),
        ...(username !== own && { username }),
      }),
    onSuccess: async () => {
      setLabel('');
      await queries.invalidateQueries({ queryKey: KEYS });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  const toggle = (scope: string) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return (
    <>
      <form className={page['form']} onSubmit={submit} aria-label="New key">
        <label>
          What the key is for
          <Input required maxLength={128} value={label} onChange={({ target }) => setLabel(target.value)} />
        </label>
        <label>
          Works for
          <Select value={lifetime} onChange={({ target }) => setLifetime(target.value)}>
            {LIFETIMES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </label>
        <OwnerField username={username} choose={setUsername} />
        <fieldset className={styles['scopes']}>
          <legend className="visually-hidden">What the key opens</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} /> {scope}
            </label>
          ))}
          <label>
            <input type="checkbox" checked={isBound} onChange={({ target }) => setIsBound(target.checked)} /> only{' '}
            {project.id}
          </label>
        </fieldset>
        <Button type="submit" disabled={creating.isPending || label.trim() === '' || scopes.length === 0}>
          Create key
        </Button>
      </form>
      {creating.error && <ErrorNote error={creating.error} />}
      {creating.data && <SecretKey secret={creating.data.key} />}
    </>
  );
}

interface OwnerProps {
  readonly username: string;
  readonly choose: (username: string) => void;
}

/** Whose key it is: administrators make keys for others, too. */
function OwnerField({ username, choose }: OwnerProps) {
  const { mayAdminister } = useRights();
  const users = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => hone.accounts.listUsers({ signal }),
    enabled: mayAdminister,
  });
  if (!mayAdminister || !users.data) return null;
  return (
    <label>
      User
      <Select value={username} onChange={({ target }) => choose(target.value)}>
        {users.data.data.map(({ id, username: name }) => (
          <option key={id}>{name}</option>
        ))}
      </Select>
    </label>
  );
}
