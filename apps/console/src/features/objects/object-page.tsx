import type { ObjectVersionDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { DiffView } from '../../shared/diff/diff-view.js';
import { formatTime } from '../../shared/format/format.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { useObjectValue, useObjectVersions, versionOf } from '../../shared/objects/use-object.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Table } from '../../shared/page/table.js';
import { readPrompt } from '../../shared/prompts/prompt.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Labels } from './labels.js';

const COLUMNS = [
  { name: 'Version' },
  { name: 'Tags and aliases', kind: 'wide' },
  { name: 'Made', kind: 'optional' },
  { name: 'Delete', isHidden: true },
] as const;

/** All versions of an object: their labels, the value of one, or two beside each other. */
export default function ObjectPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [kind] = useSearchState('kind');
  const [wanted] = useSearchState('version');
  const versions = useObjectVersions(id, kind);
  const back = <Link to={project.path('objects')}>Objects</Link>;
  if (versions.error || !versions.data) {
    const retry = () => void versions.refetch();
    return <PendingPage title={id} what="the object" error={versions.error} {...{ back, retry }} />;
  }
  const shown = versionOf(versions.data, wanted);
  if (!shown)
    return (
      <Page title={id} back={back}>
        <EmptyNote title="There is no such object">
          <p>It was deleted, or its name is another.</p>
        </EmptyNote>
      </Page>
    );
  return (
    <Page title={id} back={back}>
      <div className={page['body']}>
        <Versions versions={versions.data} shown={shown} />
        <Value key={shown.digest} versions={versions.data} shown={shown} />
      </div>
    </Page>
  );
}

interface VersionsProps {
  readonly versions: readonly ObjectVersionDto[];
  readonly shown: ObjectVersionDto;
}

function Versions({ versions, shown }: VersionsProps) {
  const [, setVersion] = useSearchState('version');
  const nameOf = useUsernames();
  const { mayWrite } = useRights();
  const [deleted, setDeleted] = useState<ObjectVersionDto | null>(null);
  return (
    <>
      <Table label="Versions" columns={COLUMNS}>
        {versions.map((version) => (
          <tr key={version.digest}>
            <td>
              <Button
                aria-pressed={version.digest === shown.digest}
                kind={version.digest === shown.digest ? 'primary' : undefined}
                onClick={() => setVersion(version.digest)}
              >
                v{version.version_index}
              </Button>
            </td>
            <td>
              <Labels version={version} />
            </td>
            <td data-kind="optional" className={page['muted']}>
              {formatTime(version.created_at).slice(0, 16)} by {nameOf(version.svc_user_id)}
            </td>
            <td>{mayWrite && <Button onClick={() => setDeleted(version)}>Delete</Button>}</td>
          </tr>
        ))}
      </Table>
      {deleted && <DeleteVersion version={deleted} close={() => setDeleted(null)} />}
    </>
  );
}

function DeleteVersion({ version, close }: { readonly version: ObjectVersionDto; readonly close: () => void }) {
  const queries = useQueryClient();
  const { project_id, object_id, digest, version_index } = version;
  const deleting = useMutation({
    mutationFn: () => hone.trace.deleteObject({ project_id, object_id, digests: [digest] }),
    onSuccess: () => {
      close();
      return queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => /object|dataset/.test(String(key)) });
    },
  });
  return (
    <FormDialog
      title={`Delete v${version_index} of ${object_id}?`}
      action="Delete the version"
      {...{ isPending: deleting.isPending, error: deleting.error, close }}
      submit={() => deleting.mutate()}
    >
      <p>Refs to this version lead nowhere from now on. The other versions stay.</p>
    </FormDialog>
  );
}

function Value({ versions, shown }: VersionsProps) {
  const [wanted, setOther] = useSearchState('with');
  const other = versions.find(({ digest }) => digest === wanted && digest !== shown.digest);
  const project = useProject();
  const value = useObjectValue(shown);
  const { object_id, version_index } = shown;
  return (
    <>
      {readPrompt(value.data) && (
        <p>
          <Link to={project.path(`prompts/${encodeURIComponent(object_id)}?version=v${version_index}`)}>
            Open as a prompt
          </Link>
        </p>
      )}
      <label className={page['row']}>
        Beside v{shown.version_index}
        <Select value={other?.digest ?? ''} onChange={({ target }) => setOther(target.value)}>
          <option value="">nothing</option>
          {versions
            .filter((version) => version !== shown)
            .map(({ digest, version_index }) => (
              <option key={digest} value={digest}>
                v{version_index}
              </option>
            ))}
        </Select>
      </label>
      {value.error ? (
        <ErrorNote error={value.error} retry={() => void value.refetch()} />
      ) : value.data === undefined ? (
        <Loading what="the value" />
      ) : other ? (
        <Comparison shown={shown} other={other} value={value.data} />
      ) : typeof value.data === 'string' ? (
        <p className={page['text']} dir="auto">
          {value.data}
        </p>
      ) : (
        <ValueCard title={`v${shown.version_index}`} value={value.data} />
      )}
    </>
  );
}

interface ComparisonProps {
  readonly shown: ObjectVersionDto;
  readonly other: ObjectVersionDto;
  readonly value: unknown;
}

/** The older version is on the left. */
function Comparison({ shown, other, value }: ComparisonProps) {
  const against = useObjectValue(other);
  if (against.error) return <ErrorNote error={against.error} retry={() => void against.refetch()} />;
  if (against.data === undefined) return <Loading what="the other version" />;
  const sides = [
    { index: shown.version_index, label: `v${shown.version_index}`, value },
    { index: other.version_index, label: `v${other.version_index}`, value: against.data },
  ].sort((a, b) => a.index - b.index);
  const [left, right] = sides;
  return left && right ? <DiffView left={left} right={right} /> : null;
}
