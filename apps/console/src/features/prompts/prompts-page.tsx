import type { ObjectVersionDto } from '@hone/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';

const PAGE_SIZE = 100;
/** Labels that are looked for, as many as the interface takes. */
const MAX_LABELS = 1_000;
const COLUMNS = [
  { name: 'Prompt', kind: 'wide' },
  { name: 'Newest' },
  { name: 'Labels' },
  { name: 'Changed', kind: 'optional' },
] as const;

interface PromptRow {
  readonly newest: ObjectVersionDto;
  readonly labels: readonly LabelledVersion[];
}

interface LabelledVersion {
  readonly label: string;
  readonly version: number;
}

/** The prompts of a project, those that changed last first. */
export default function PromptsPage() {
  const project = useProject();
  const { mayWrite } = useRights();
  const prompts = usePrompts();
  const rows = prompts.data?.pages.flatMap(({ list }) => list) ?? [];
  return (
    <Page
      title="Prompts"
      actions={
        mayWrite && (
          <ButtonLink kind="primary" to={project.path('playground')}>
            New prompt
          </ButtonLink>
        )
      }
    >
      {prompts.error ? (
        <ErrorNote error={prompts.error} retry={() => void prompts.refetch()} />
      ) : prompts.isPending ? (
        <Loading what="prompts" />
      ) : rows.length === 0 ? (
        <NoPrompts />
      ) : (
        <Table label="Prompts" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.newest.object_id} {...row} />
          ))}
        </Table>
      )}
      {prompts.hasNextPage && (
        <p className={page['more']}>
          <Button disabled={prompts.isFetching} onClick={() => void prompts.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
    </Page>
  );
}

function usePrompts() {
  const { id: project_id } = useProject();
  return useInfiniteQuery({
    queryKey: ['object prompts', project_id],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const { objs, next_cursor } = await hone.trace.queryObjects(
        {
          ...{ project_id, filter: { base_object_classes: ['Prompt'], latest_only: true }, metadata_only: true },
          ...{ sort_by: [{ field: 'created_at', direction: 'desc' }], cursor: pageParam, limit: PAGE_SIZE },
        },
        { signal },
      );
      const labels = await readLabels(
        project_id,
        objs.map(({ object_id }) => object_id),
        signal,
      );
      const list = objs.map((newest): PromptRow => ({ newest, labels: labels.get(newest.object_id) ?? [] }));
      return { list, next_cursor };
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** A label may be of any version, not only of the newest one. */
async function readLabels(project_id: string, object_ids: readonly string[], signal: AbortSignal) {
  const labels = new Map<string, LabelledVersion[]>();
  const { aliases } = await hone.trace.listAliases({ project_id }, { signal });
  if (aliases.length === 0 || object_ids.length === 0) return labels;
  const filter = { object_ids: [...object_ids], aliases: aliases.slice(0, MAX_LABELS) };
  const body = { project_id, filter, metadata_only: true, include_tags_and_aliases: true };
  for (const { object_id, version_index, aliases: of } of (await hone.trace.queryObjects(body, { signal })).objs) {
    const named = (of ?? []).filter((label) => label !== 'latest').map((label) => ({ label, version: version_index }));
    labels.set(object_id, [...(labels.get(object_id) ?? []), ...named]);
  }
  return labels;
}

function Row({ newest: { object_id, version_index, created_at, svc_user_id }, labels }: PromptRow) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  return (
    <tr>
      <td>
        <Link to={project.path(`prompts/${encodeURIComponent(object_id)}`)}>{object_id}</Link>
      </td>
      <td>v{version_index}</td>
      <td>
        <span className={page['row']}>
          {labels.length === 0 && <span className={page['muted']}>–</span>}
          {labels.map(({ label, version }) => (
            <Badge key={label} tone={version === version_index ? 'good' : 'muted'}>
              {label} v{version}
            </Badge>
          ))}
        </span>
      </td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(created_at, now)} by {nameOf(svc_user_id)}
      </td>
    </tr>
  );
}

function NoPrompts() {
  const project = useProject();
  return (
    <EmptyNote title="No prompts yet">
      <p>
        A prompt kept here changes without a deployment: requests name it, and a label says which version they get. Save
        one in the <Link to={project.path('playground')}>playground</Link>, or paste:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/obj/create -H 'Content-Type: application/json' \\
  -d '{"obj": {"project_id": "${project.id}", "object_id": "greeting", "val": {
    "_type": "MessagesPrompt", "_class_name": "MessagesPrompt", "_bases": ["Prompt", "Object", "BaseModel"], "name": "greeting", "description": null,
    "messages": [{"role": "system", "content": "You greet {{name}} warmly."}]}}}'`}
      />
    </EmptyNote>
  );
}
