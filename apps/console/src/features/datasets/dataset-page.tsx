import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { updateTable, writeVersion } from '../../shared/datasets/write-dataset.js';
import { formatCount, formatTime } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { type DatasetVersion, toDatasetVersion } from './dataset.js';
import styles from './datasets.module.css';
import { changeRow, countEdits, type Edits, NO_EDITS, toggleDeleted, toSteps } from './edits.js';
import { ImportRows } from './import-rows.js';
import { RowPanel } from './row-panel.js';
import { RowTable } from './row-table.js';
import { useNamedRow } from './use-named-row.js';
import { useRows } from './use-rows.js';
import { Uses } from './uses.js';

/** The versions of one dataset, and the rows of one of them. */
export default function DatasetPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [wanted] = useSearchState('version');
  const versions = useQuery({
    queryKey: ['dataset', project.id, id],
    queryFn: async ({ signal }) => {
      const filter = { object_ids: [id], base_object_classes: ['Dataset'] };
      const { objs } = await hone.trace.queryObjects({ project_id: project.id, filter }, { signal });
      return objs.map(toDatasetVersion).sort((a, b) => b.index - a.index);
    },
  });
  const back = <Link to={project.path('datasets')}>Datasets</Link>;
  if (versions.error || !versions.data) {
    const retry = () => void versions.refetch();
    return <PendingPage title={id} what="the dataset" error={versions.error} {...{ back, retry }} />;
  }
  const [newest] = versions.data;
  const shown = versions.data.find(({ digest, index }) => digest === wanted || `v${index}` === wanted) ?? newest;
  if (!shown || !newest)
    return (
      <Page title={id} back={back}>
        <EmptyNote title="There is no such dataset">
          <p>It was deleted, or its name is another.</p>
        </EmptyNote>
      </Page>
    );
  if (shown.table === null)
    return (
      <Page title={id} back={back}>
        <EmptyNote title="This version names no rows">
          <p>
            <Link to={project.path(`objects/${encodeURIComponent(id)}`)}>See its value</Link>
          </p>
        </EmptyNote>
      </Page>
    );
  return (
    <Dataset
      key={shown.digest}
      versions={versions.data}
      shown={shown}
      table={shown.table}
      isNewest={shown === newest}
    />
  );
}

interface Props {
  readonly versions: readonly DatasetVersion[];
  readonly shown: DatasetVersion;
  readonly table: string;
  readonly isNewest: boolean;
}

function Dataset({ versions, shown, table, isNewest }: Props) {
  const project = useProject();
  const nameOf = useUsernames();
  const { mayWrite } = useRights();
  const [, setVersion] = useSearchState('version');
  const [row, setRow] = useSearchState('row');
  const [edits, setEdits] = useState<Edits>(NO_EDITS);
  const [isImporting, setIsImporting] = useState(false);
  useNamedRow(table);
  const selected = row === '' ? -1 : Number(row);
  const count = useQuery({
    queryKey: ['dataset size', project.id, table],
    queryFn: async ({ signal }) =>
      (await hone.trace.countTableRows({ project_id: project.id, digest: table }, { signal })).count,
    staleTime: Infinity,
  });
  const mayEdit = mayWrite && isNewest;
  return (
    <Page
      title={shown.name}
      back={<Link to={project.path('datasets')}>Datasets</Link>}
      actions={
        <>
          <Select
            aria-label="Version"
            value={shown.digest}
            onChange={({ target }) => setVersion(target.value === versions[0]?.digest ? '' : target.value)}
          >
            {versions.map(({ digest, index }) => (
              <option key={digest} value={digest}>
                v{index}
                {digest === versions[0]?.digest ? ', newest' : ''}
              </option>
            ))}
          </Select>
          <span className={styles['muted']}>
            {count.data === undefined ? '…' : formatCount(count.data)} rows · {formatTime(shown.createdAt).slice(0, 16)}{' '}
            by {nameOf(shown.userId)}
          </span>
          <Uses objectId={shown.objectId} />
          {mayEdit && (
            <>
              <ButtonLink
                to={project.path(`training/new?from=dataset&kind=sft&dataset=${encodeURIComponent(shown.objectId)}`)}
              >
                Train on it
              </ButtonLink>
              <ButtonLink to={project.path(`evaluations?new=1&dataset=${encodeURIComponent(shown.objectId)}`)}>
                Evaluate on it
              </ButtonLink>
              <Button onClick={() => setEdits({ ...edits, appended: [...edits.appended, {}] })}>Add a row</Button>
              <Button onClick={() => setIsImporting(true)}>Import rows</Button>
              <Save dataset={shown} table={table} edits={edits} clear={() => setEdits(NO_EDITS)} />
            </>
          )}
        </>
      }
    >
      <div className={styles['view']} data-panel={selected >= 0}>
        {count.error ? (
          <ErrorNote error={count.error} retry={() => void count.refetch()} />
        ) : count.data === undefined ? (
          <Loading what="rows" />
        ) : count.data + edits.appended.length === 0 ? (
          <EmptyNote title="No rows yet">
            <p>Add a row, import a file, or add calls on the page Calls.</p>
          </EmptyNote>
        ) : (
          <RowTable
            {...{ table, edits, selected }}
            count={count.data}
            select={(index) => setRow(index < 0 ? '' : String(index))}
          />
        )}
        {selected >= 0 && count.data !== undefined && (
          <SelectedRow
            key={selected}
            {...{ table, edits, setEdits, isNewest }}
            count={count.data}
            index={selected}
            close={() => setRow('')}
          />
        )}
      </div>
      {isImporting && (
        <ImportRows
          close={() => setIsImporting(false)}
          add={(rows) => setEdits({ ...edits, appended: [...edits.appended, ...rows] })}
        />
      )}
    </Page>
  );
}

interface SelectedProps {
  readonly table: string;
  readonly count: number;
  readonly index: number;
  readonly edits: Edits;
  readonly setEdits: (edits: Edits) => void;
  readonly isNewest: boolean;
  readonly close: () => void;
}

function SelectedRow({ table, count, index, edits, setEdits, isNewest, close }: SelectedProps) {
  const isAppended = index >= count;
  const stored = useRows(table, isAppended ? 0 : index, isAppended ? 0 : index);
  const at = index - count;
  return (
    <RowPanel
      {...{ index, isNewest, close }}
      row={isAppended ? edits.appended[at] : (edits.changed.get(index) ?? stored.rowAt(index))}
      isDeleted={edits.deleted.has(index)}
      change={(row) =>
        setEdits(isAppended ? { ...edits, appended: edits.appended.with(at, row) } : changeRow(edits, index, row))
      }
      toggleDeleted={() => {
        if (!isAppended) return setEdits(toggleDeleted(edits, index));
        close();
        setEdits({ ...edits, appended: edits.appended.toSpliced(at, 1) });
      }}
    />
  );
}

interface SaveProps {
  readonly dataset: DatasetVersion;
  readonly table: string;
  readonly edits: Edits;
  readonly clear: () => void;
}

/** Stores the edits as a new version; the one that was edited stays as it is. */
function Save({ dataset, table, edits, clear }: SaveProps) {
  const project = useProject();
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: async () => writeVersion(project, dataset.objectId, await updateTable(project, table, toSteps(edits))),
    onSuccess: () => {
      clear();
      return queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith('dataset') });
    },
  });
  const count = countEdits(edits);
  if (count === 0) return null;
  return (
    <>
      <Button kind="primary" disabled={saving.isPending} onClick={() => saving.mutate()}>
        Save {formatCount(count)} {count === 1 ? 'change' : 'changes'} as v{dataset.index + 1}
      </Button>
      <Button disabled={saving.isPending} onClick={clear}>
        Discard
      </Button>
      {saving.error && <ErrorNote error={saving.error} retry={() => saving.mutate()} />}
    </>
  );
}
