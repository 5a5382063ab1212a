import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatAge, formatCount } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { NoMatch } from '../../shared/ui/no-match.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { type DatasetVersion, toDatasetVersion } from './dataset.js';
import { ImportDataset } from './import-dataset.js';

const COLUMNS = [
  { name: 'Dataset', kind: 'wide' },
  { name: 'Rows', kind: 'number' },
  { name: 'Version' },
  { name: 'Changed', kind: 'optional' },
] as const;

/** The datasets of a project, each in its newest version. */
export default function DatasetsPage() {
  const project = useProject();
  const { mayWrite } = useRights();
  const [name, setName] = useSearchState('name');
  const [isImporting, setIsImporting] = useState(false);
  const datasets = useQuery({
    queryKey: ['datasets', project.id],
    queryFn: async ({ signal }) => {
      const filter = { latest_only: true, base_object_classes: ['Dataset'] };
      const sort_by = [{ field: 'created_at' as const, direction: 'desc' as const }];
      const body = { project_id: project.id, filter, sort_by, include_tags_and_aliases: true };
      return (await hone.trace.queryObjects(body, { signal })).objs.map(toDatasetVersion);
    },
  });
  const wanted = name.trim().toLowerCase();
  const shown = datasets.data?.filter((one) => `${one.name} ${one.objectId}`.toLowerCase().includes(wanted));
  return (
    <Page
      title="Datasets"
      actions={
        <>
          <Input
            type="search"
            aria-label="Part of the name of a dataset"
            placeholder="Name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {mayWrite && (
            <Button kind="primary" onClick={() => setIsImporting(true)}>
              Import a file
            </Button>
          )}
        </>
      }
    >
      {datasets.error ? (
        <ErrorNote error={datasets.error} retry={() => void datasets.refetch()} />
      ) : !shown ? (
        <Loading what="datasets" />
      ) : shown.length === 0 ? (
        <NoDatasets isFiltered={name !== ''} />
      ) : (
        <DatasetTable datasets={shown} />
      )}
      {isImporting && <ImportDataset close={() => setIsImporting(false)} />}
    </Page>
  );
}

function DatasetTable({ datasets }: { readonly datasets: readonly DatasetVersion[] }) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  const digests = datasets.flatMap(({ table }) => table ?? []);
  const counts = useQuery({
    queryKey: ['dataset sizes', project.id, digests],
    queryFn: async ({ signal }) => {
      const { tables } = await hone.trace.listTableStatistics({ project_id: project.id, digests }, { signal });
      return new Map(tables.map(({ digest, count }) => [digest, count]));
    },
  });
  return (
    <Table label="Datasets" columns={COLUMNS}>
      {datasets.map((dataset) => {
        const count = counts.data?.get(dataset.table ?? '');
        return (
          <tr key={dataset.objectId}>
            <td>
              <Link to={project.path(`datasets/${encodeURIComponent(dataset.objectId)}`)}>{dataset.name}</Link>{' '}
              {[...dataset.aliases, ...dataset.tags].map((label) => (
                <Badge key={label} tone="muted">
                  {label}
                </Badge>
              ))}
              <div className={page['muted']} dir="auto">
                {dataset.description}
              </div>
            </td>
            <td data-kind="number">{count === undefined ? '…' : formatCount(count)}</td>
            <td>v{dataset.index}</td>
            <td data-kind="optional" className={page['muted']}>
              {formatAge(dataset.createdAt, now)} by {nameOf(dataset.userId)}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function NoDatasets({ isFiltered }: { readonly isFiltered: boolean }) {
  const project = useProject();
  if (isFiltered) return <NoMatch title="No dataset has such a name" all={project.path('datasets')} />;
  return (
    <EmptyNote title="No datasets yet">
      <p>
        A dataset holds rows that models are evaluated on. Import a CSV or JSONL file, choose calls on the page{' '}
        <Link to={project.path('calls')}>Calls</Link> and add them, or paste:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/v2/${project.id}/datasets -H 'Content-Type: application/json' \\
  -d '{"name": "questions", "rows": [{"q": "2+2", "a": "4"}, {"q": "3+3", "a": "6"}]}'`}
      />
    </EmptyNote>
  );
}
