import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { type Project, useProject } from '../../shared/data/project.js';
import { parseRef, shortRef } from '../../shared/data/refs.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { type Feedback, FEEDBACK_FIELDS, toFeedback } from '../../shared/feedback/feedback.js';
import { Said } from '../../shared/feedback/said.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { KINDS, toFeedbackQuery } from './feedback-filter.js';

const PAGE_SIZE = 100;
/** Typing is over after this long. */
const TYPING_MS = 250;
const COLUMNS = [
  { name: 'Said', kind: 'wide' },
  { name: 'Of' },
  { name: 'Type', kind: 'optional' },
  { name: 'By', kind: 'optional' },
  { name: 'When', kind: 'number' },
] as const;

/** What people and judges said, newest first. */
export default function FeedbackPage() {
  const project = useProject();
  const [kind, setKind] = useSearchState('kind');
  const [type, setType] = useSearchState('type');
  const [typed, setTyped] = useState(type);
  useEffect(() => {
    const timer = setTimeout(() => setType(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [setType, typed]);
  const list = useInfiniteQuery({
    queryKey: ['feedback list', project.id, kind, type],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }];
      const query = toFeedbackQuery({ kind, type });
      const body = { project_id: project.id, fields: FEEDBACK_FIELDS, sort_by, cursor: pageParam, limit: PAGE_SIZE };
      return hone.trace.queryFeedback({ ...body, query } as never, { signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const rows = list.data?.pages.flatMap(({ result }) => result.map(toFeedback)) ?? [];
  return (
    <Page
      title="Feedback"
      actions={
        <>
          <Select aria-label="Kind" value={kind} onChange={({ target }) => setKind(target.value)}>
            <option value="">Any kind</option>
            {Object.entries(KINDS).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </Select>
          <Input
            type="search"
            aria-label="Part of the type"
            placeholder="Type"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </>
      }
    >
      {list.error ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading what="feedback" />
      ) : rows.length === 0 ? (
        <NoFeedback isFiltered={kind !== '' || type !== ''} />
      ) : (
        <Table label="Feedback" columns={COLUMNS}>
          {rows.map((one) => (
            <FeedbackRow key={one.id} feedback={one} />
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <p className={page['more']}>
          <Button disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </p>
      )}
    </Page>
  );
}

function FeedbackRow({ feedback }: { readonly feedback: Feedback }) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  const path = pathOf(project, feedback.trace_ref);
  const name = shortRef(feedback.trace_ref);
  return (
    <tr>
      <td>
        <Said {...feedback} />
      </td>
      <td>{path === null ? name : <Link to={path}>{name}</Link>}</td>
      <td data-kind="optional" className={page['muted']}>
        {feedback.feedback_type}
      </td>
      <td data-kind="optional">{feedback.creator ?? nameOf(feedback.svc_user_id)}</td>
      <td data-kind="number" className={page['muted']}>
        {formatAge(feedback.created_at, now)}
      </td>
    </tr>
  );
}

/** The page of what was judged; null: it has none here. */
function pathOf(project: Project, ref: string): string | null {
  const parts = parseRef(ref);
  if (parts === null || parts.projectId !== project.id || parts.kind === 'table') return null;
  const name = encodeURIComponent(parts.name);
  if (parts.kind === 'call') return project.path(`calls/${name}`);
  return project.path(`objects/${name}${parts.kind === 'op' ? '?kind=op' : ''}`);
}

function NoFeedback({ isFiltered }: { readonly isFiltered: boolean }) {
  const project = useProject();
  if (isFiltered) return <EmptyNote title="No feedback matches" />;
  return (
    <EmptyNote title="No feedback yet">
      <p>
        Open a call on the page <Link to={project.path('calls')}>Calls</Link> and give it a thumb, or send what your
        users say with the id of the answer:
      </p>
      <pre>{`curl -u api:$HONE_API_KEY ${location.origin}/feedback/create -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "completion_id": "chatcmpl-…",
       "feedback_type": "hone.reaction.1", "payload": {"emoji": "👍"}}'`}</pre>
    </EmptyNote>
  );
}
