import type { ObjectVersionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useRights } from '../../shared/data/role.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './objects.module.css';

type LabelKind = 'alias' | 'tag';

/** Alias that every object has, and nobody sets. */
const LATEST = 'latest';

/** Tags and aliases of a version. An alias names one version of the object at a time; a tag may be on many. */
export function Labels({ version }: { readonly version: ObjectVersionDto }) {
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const { project_id, object_id, digest, aliases = [], tags = [] } = version;
  const refresh = () =>
    queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('object') });
  const removing = useMutation({
    mutationFn: ({ kind, name }: { readonly kind: LabelKind; readonly name: string }) =>
      kind === 'alias'
        ? hone.trace.removeAliases({ object_id }, { project_id, aliases: [name] })
        : hone.trace.removeTags({ object_id, digest }, { project_id, tags: [name] }),
    onSuccess: refresh,
  });
  const labels = [
    ...aliases.map((name) => ({ kind: 'alias' as const, name })),
    ...tags.map((name) => ({ kind: 'tag' as const, name })),
  ];
  return (
    <span className={styles['row']}>
      {labels.map(({ kind, name }) => (
        <span key={`${kind} ${name}`} className={styles['row']}>
          <Badge tone={kind === 'alias' ? 'good' : 'muted'}>{name}</Badge>
          {mayWrite && name !== LATEST && (
            <Button
              kind="plain"
              aria-label={`Remove the ${kind} ${name}`}
              disabled={removing.isPending}
              onClick={() => removing.mutate({ kind, name })}
            >
              <X size={13} aria-hidden />
            </Button>
          )}
        </span>
      ))}
      {mayWrite && <Button onClick={() => setIsAdding(true)}>Label</Button>}
      {removing.error && <ErrorNote error={removing.error} />}
      {isAdding && <AddLabel version={version} close={() => setIsAdding(false)} refresh={refresh} />}
    </span>
  );
}

interface AddProps {
  readonly version: ObjectVersionDto;
  readonly close: () => void;
  readonly refresh: () => Promise<void>;
}

function AddLabel({ version, close, refresh }: AddProps) {
  const [kind, setKind] = useState<LabelKind>('alias');
  const [name, setName] = useState('');
  const { project_id, object_id, digest, version_index } = version;
  const adding = useMutation({
    mutationFn: () =>
      kind === 'alias'
        ? hone.trace.setAliases({ object_id }, { project_id, digest, aliases: [name.trim()] })
        : hone.trace.addTags({ object_id, digest }, { project_id, tags: [name.trim()] }),
    onSuccess: () => {
      close();
      return refresh();
    },
  });
  return (
    <FormDialog
      title={`Label v${version_index}`}
      action={kind === 'alias' ? 'Set the alias' : 'Add the tag'}
      {...{ isPending: adding.isPending, error: adding.error, close }}
      isReady={name.trim() !== ''}
      submit={() => adding.mutate()}
    >
      <label>
        Kind
        <Select value={kind} onChange={({ target }) => setKind(target.value as LabelKind)}>
          <option value="alias">Alias: names one version of the object, and moves</option>
          <option value="tag">Tag: may be on many versions</option>
        </Select>
      </label>
      <label>
        Name
        <Input required autoFocus maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
    </FormDialog>
  );
}
