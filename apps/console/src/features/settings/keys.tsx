import type { ApiKeyDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { CopyButton } from '../../shared/ui/copy-button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import styles from './settings.module.css';

const KEYS = ['api keys'];
const SCOPES = ['trace', 'training', 'inference', 'account'] as const;

const COLUMNS = [
  { name: 'Key' },
  { name: 'User' },
  { name: 'Opens', kind: 'optional' },
  { name: 'Project', kind: 'optional' },
  { name: 'Last used', kind: 'optional' },
  { name: 'Do', isHidden: true },
] as const;

/** The keys of the user; an administrator sees all. A new key is shown once. */
export function Keys() {
  const now = useNow();
  const queries = useQueryClient();
  const keys = useQuery({ queryKey: KEYS, queryFn: ({ signal }) => hone.accounts.listApiKeys({ signal }) });
  const revoking = useMutation({
    mutationFn: (id: string) => hone.accounts.revokeApiKey({ id }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
  const revoke = ({ id, label }: ApiKeyDto) => {
    if (confirm(`Revoke the key “${label}”? Whoever uses it is refused from now on.`)) revoking.mutate(id);
  };
  if (keys.error && !keys.data) return <ErrorNote error={keys.error} retry={() => void keys.refetch()} />;
  if (!keys.data) return <Loading what="keys" />;
  return (
    <>
      <NewKey />
      {revoking.error && <ErrorNote error={revoking.error} />}
      <Table label="Keys" columns={COLUMNS}>
        {keys.data.data.map((key) => (
          <tr key={key.id}>
            <td>
              {key.label} <span className={page['muted']}>{key.prefix}…</span>
            </td>
            <td>{key.username}</td>
            <td data-kind="optional">{key.scopes.join(', ')}</td>
            <td data-kind="optional">{key.project ?? 'all'}</td>
            <td data-kind="optional" className={page['muted']}>
              {key.last_used_at === null ? 'never' : formatAge(key.last_used_at, now)}
            </td>
            <td>
              <Standing apiKey={key} now={now} onRevoke={() => revoke(key)} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

interface StandingProps {
  readonly apiKey: ApiKeyDto;
  readonly now: number;
  readonly onRevoke: () => void;
}

function Standing({ apiKey: { revoked_at, expires_at, label }, now, onRevoke }: StandingProps) {
  if (revoked_at !== null) return <Badge tone="muted">revoked</Badge>;
  if (expires_at !== null && Date.parse(expires_at) <= now) return <Badge tone="muted">expired</Badge>;
  return (
    <Button aria-label={`Revoke ${label}`} onClick={onRevoke}>
      Revoke
    </Button>
  );
}

function NewKey() {
  const project = useProject();
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const [isBound, setIsBound] = useState(false);
  const [scopes, setScopes] = useState<readonly string[]>(['trace', 'training', 'inference']);
  const creating = useMutation({
    mutationFn: () =>
      hone.accounts.createApiKey({
        label: label.trim(),
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        ...(isBound && { project: project.id }),
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
      {creating.data && (
        <p className={styles['secret']} role="status">
          <code>{creating.data.key}</code> <CopyButton label="Copy the key" text={() => creating.data.key} />
          <br />
          This is the only time that the key is shown.
        </p>
      )}
    </>
  );
}
