import type { ApiKeyDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { formatAge, formatTime } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { KEYS, NewKey } from './new-key.js';

const COLUMNS = [
  { name: 'Key' },
  { name: 'User' },
  { name: 'Opens', kind: 'optional' },
  { name: 'Project', kind: 'optional' },
  { name: 'Last used', kind: 'optional' },
  { name: 'Expires', kind: 'optional' },
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
            <td data-kind="optional" className={page['muted']}>
              {key.expires_at === null ? 'never' : formatTime(key.expires_at).slice(0, 10)}
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
