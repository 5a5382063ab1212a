import type { ObjectAliasDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, LockOpen, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useRights } from '../../shared/data/role.js';
import page from '../../shared/page/page.module.css';
import { RefusedNote } from '../../shared/page/refused-note.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './prompts.module.css';
import { sharesOf } from './shares.js';
import { SplitDialog } from './split-dialog.js';
import type { VersionProps } from './versions.js';

/** A change of a label. `digest` null: it goes. */
export interface LabelChange {
  readonly label: string;
  readonly digest: string | null;
  readonly weights?: Readonly<Record<string, number>> | null;
  readonly isProtected?: boolean;
}

/** The labels of a prompt, which say what version requests get; each moves to the version that is shown by a click. */
export function LabelsCard({ versions, shown }: VersionProps) {
  const { mayWrite } = useRights();
  const { project_id, object_id } = shown;
  const queries = useQueryClient();
  const labels = useQuery({
    queryKey: ['object aliases', project_id, object_id],
    queryFn: async ({ signal }) => (await hone.trace.listObjectAliases({ object_id, project_id }, { signal })).aliases,
  });
  const changing = useMutation({
    mutationFn: ({ label, digest, weights, isProtected }: LabelChange) => {
      const aliases = [label];
      if (digest === null) return hone.trace.removeAliases({ object_id }, { project_id, aliases });
      const body = { project_id, digest, aliases, ...(weights && { weights }) };
      return hone.trace.setAliases(
        { object_id },
        isProtected === undefined ? body : { ...body, protected: isProtected },
      );
    },
    onSuccess: () =>
      queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('object') }),
  });
  const change = (to: LabelChange) => changing.mutate(to);
  const isOwners = changing.variables?.isProtected !== undefined;
  return (
    <section className={page['section']} aria-label="Labels">
      <h2>Labels</h2>
      {labels.error && <ErrorNote error={labels.error} retry={() => void labels.refetch()} />}
      {labels.data?.length === 0 && <p className={page['muted']}>None yet: requests get the newest version.</p>}
      <ul className={styles['labels']}>
        {labels.data?.map((label) => (
          <Label key={label.alias} {...{ label, versions, shown, change }} isPending={changing.isPending} />
        ))}
      </ul>
      {changing.error && (
        <RefusedNote
          error={changing.error}
          what={isOwners ? 'Protecting a label' : 'Changing a label'}
          needed={isOwners ? 'owner' : 'writer'}
        />
      )}
      {mayWrite && <NewLabel shown={shown} isPending={changing.isPending} change={change} />}
    </section>
  );
}

interface LabelProps extends VersionProps {
  readonly label: ObjectAliasDto;
  readonly isPending: boolean;
  readonly change: (change: LabelChange) => void;
}

function Label({ label: { alias, digest, weights, protected: isProtected }, ...props }: LabelProps) {
  const { versions, shown, isPending, change } = props;
  const { mayWrite, mayOwn } = useRights();
  const [isSplitting, setIsSplitting] = useState(false);
  const numberOf = (of: string) => versions.find((version) => version.digest === of)?.version_index ?? '?';
  const isHere = digest === shown.digest && weights === null;
  const shares = sharesOf(weights ?? { [digest]: 1 });
  return (
    <li className={styles['label']} aria-label={alias}>
      <span className={styles['head']}>
        <Badge tone="good">{alias}</Badge>
        <span>
          {shares.map(({ digest: of, percent }) => `v${numberOf(of)}${weights ? ` ${percent}` : ''}`).join(', ')}
        </span>
        {isProtected && (
          <span className={page['muted']} title="It neither moves nor goes until an owner unprotects it">
            protected
          </span>
        )}
      </span>
      <span className={styles['head']}>
        {mayWrite && !isProtected && (
          <>
            {!isHere && (
              <Button
                disabled={isPending}
                title={weights ? 'All requests get this version: the split ends' : undefined}
                onClick={() => change({ label: alias, digest: shown.digest })}
              >
                Move {alias} to v{shown.version_index}
              </Button>
            )}
            {versions.length > 1 && (
              <Button aria-label={`Split ${alias}`} disabled={isPending} onClick={() => setIsSplitting(true)}>
                Split
              </Button>
            )}
          </>
        )}
        {mayOwn && (
          <Button
            kind="plain"
            disabled={isPending}
            aria-label={`${isProtected ? 'Unprotect' : 'Protect'} ${alias}`}
            title={isProtected ? `Unprotect ${alias}` : `Protect ${alias}: it neither moves nor goes until then`}
            onClick={() => change({ label: alias, digest, weights, isProtected: !isProtected })}
          >
            {isProtected ? <LockOpen size={14} aria-hidden /> : <Lock size={14} aria-hidden />}
          </Button>
        )}
        {mayWrite && !isProtected && (
          <Button
            kind="plain"
            aria-label={`Remove ${alias}`}
            title={`Remove ${alias}`}
            disabled={isPending}
            onClick={() => change({ label: alias, digest: null })}
          >
            <X size={14} aria-hidden />
          </Button>
        )}
      </span>
      {isSplitting && (
        <SplitDialog
          {...{ alias, digest, weights, versions, shown }}
          save={(to) => {
            setIsSplitting(false);
            change({ label: alias, ...to });
          }}
          close={() => setIsSplitting(false)}
        />
      )}
    </li>
  );
}

type NewProps = Pick<LabelProps, 'shown' | 'isPending' | 'change'>;

function NewLabel({ shown: { digest, version_index }, isPending, change }: NewProps) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ label: name.trim(), digest });
    setName('');
  };
  return (
    <form className={styles['head']} onSubmit={submit}>
      <Input
        aria-label="New label"
        placeholder="production"
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" disabled={isPending || name.trim() === ''}>
        Label v{version_index}
      </Button>
    </form>
  );
}
