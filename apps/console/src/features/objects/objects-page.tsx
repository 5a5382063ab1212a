import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { NoMatch } from '../../shared/ui/no-match.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';

const PAGE_SIZE = 200;
/** Classes that SDKs and the interface store; any other can be typed into the address. */
const CLASSES = ['Prompt', 'Model', 'Dataset', 'Evaluation', 'Scorer', 'AnnotationSpec', 'SavedView', 'Dashboard'];
const COLUMNS = [
  { name: 'Object', kind: 'wide' },
  { name: 'Class' },
  { name: 'Version' },
  { name: 'Changed', kind: 'optional' },
] as const;

/** The objects of a project by their class, each in its newest version. */
export default function ObjectsPage() {
  const project = useProject();
  const [ofClass, setClass] = useSearchState('class');
  const [label, setLabel] = useSearchState('label');
  const objects = useInfiniteQuery({
    queryKey: ['objects', project.id, ofClass, label],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const filter = {
        ...(ofClass === 'op' ? { is_op: true } : ofClass !== '' && { base_object_classes: [ofClass] }),
        // A label may be of any version, not only of the newest one.
        ...(label === '' ? { latest_only: true } : { tags: [label] }),
      };
      const sort_by = [{ field: 'created_at' as const, direction: 'desc' as const }];
      const query = { project_id: project.id, filter, sort_by, metadata_only: true, include_tags_and_aliases: true };
      return hone.trace.queryObjects({ ...query, cursor: pageParam, limit: PAGE_SIZE }, { signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const rows = objects.data?.pages.flatMap(({ objs }) => objs) ?? [];
  return (
    <Page
      title="Objects"
      actions={
        <>
          <Select aria-label="Class" value={ofClass} onChange={({ target }) => setClass(target.value)}>
            <option value="">Any class</option>
            {[...new Set([...CLASSES, ofClass].filter((one) => one !== '' && one !== 'op'))].map((one) => (
              <option key={one}>{one}</option>
            ))}
            <option value="op">Ops</option>
          </Select>
          <Input
            type="search"
            aria-label="Tag"
            placeholder="Tag"
            value={label}
            onChange={({ target }) => setLabel(target.value)}
          />
        </>
      }
    >
      {objects.error ? (
        <ErrorNote error={objects.error} retry={() => void objects.refetch()} />
      ) : objects.isPending ? (
        <Loading what="objects" />
      ) : rows.length === 0 ? (
        <NoObjects isFiltered={ofClass !== '' || label !== ''} />
      ) : (
        <Table label="Objects" columns={COLUMNS}>
          {rows.map((version) => (
            <ObjectRow key={version.digest + version.object_id} version={version} />
          ))}
        </Table>
      )}
      {objects.hasNextPage && (
        <p className={page['more']}>
          <Button disabled={objects.isFetching} onClick={() => void objects.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
    </Page>
  );
}

type Version = Awaited<ReturnType<typeof hone.trace.queryObjects>>['objs'][number];

function ObjectRow({ version }: { readonly version: Version }) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  const { object_id, version_index, created_at, svc_user_id, base_object_class, leaf_object_class, kind } = version;
  return (
    <tr>
      <td>
        <Link to={project.path(`objects/${encodeURIComponent(object_id)}${kind === 'op' ? '?kind=op' : ''}`)}>
          {object_id}
        </Link>{' '}
        {[...(version.aliases ?? []), ...(version.tags ?? [])].map((one) => (
          <Fragment key={one}>
            <Badge tone="muted">{one}</Badge>{' '}
          </Fragment>
        ))}
      </td>
      <td className={page['muted']}>{kind === 'op' ? 'op' : (leaf_object_class ?? base_object_class ?? '–')}</td>
      <td>v{version_index}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(created_at, now)} by {nameOf(svc_user_id)}
      </td>
    </tr>
  );
}

function NoObjects({ isFiltered }: { readonly isFiltered: boolean }) {
  const project = useProject();
  if (isFiltered) return <NoMatch title="No object matches" all={project.path('objects')} />;
  return (
    <EmptyNote title="No objects yet">
      <p>
        Prompts, models, datasets and configurations are objects; each change is a version that stays. SDKs store them,
        or paste:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/obj/create -H 'Content-Type: application/json' \\
  -d '{"obj": {"project_id": "${project.id}", "object_id": "greeting", "val": "Hello, {name}!"}}'`}
      />
    </EmptyNote>
  );
}
