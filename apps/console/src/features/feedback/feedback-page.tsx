import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';

import { readPreviews } from '../../shared/calls/previews.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { callIdOf } from '../../shared/data/refs.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { type TypedSearch, useTypedSearch } from '../../shared/data/typed-search.js';
import { useUsernames, useUsersNamed } from '../../shared/data/usernames.js';
import { FEEDBACK_FIELDS, toFeedback } from '../../shared/feedback/feedback.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input, Select } from '../../shared/ui/input.js';
import { NoMatch } from '../../shared/ui/no-match.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { KINDS, toFeedbackQuery } from './feedback-filter.js';
import { FeedbackRow } from './feedback-row.js';

const PAGE_SIZE = 100;
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
  const type = useTypedSearch('type');
  const by = useTypedSearch('by');
  const nameOf = useUsernames();
  const users = useUsersNamed(by.text);
  const list = useInfiniteQuery({
    queryKey: ['feedback list', project.id, kind, type.text, by.text, users],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) => {
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }];
      const query = toFeedbackQuery({ kind, type: type.text, by: by.text, users });
      const body = { project_id: project.id, fields: FEEDBACK_FIELDS, sort_by, cursor: pageParam, limit: PAGE_SIZE };
      const { result, next_cursor } = await hone.trace.queryFeedback({ ...body, query } as never, { signal });
      const rows = result.map(toFeedback);
      const ids = rows.map(({ trace_ref }) => callIdOf(project.id, trace_ref) ?? '');
      return { rows, calls: await readPreviews(project.id, ids, signal), next_cursor };
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const pages = list.data?.pages ?? [];
  const shown = pages.flatMap(({ rows }) => rows);
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
          <TypedField
            label="Part of the type"
            placeholder="Type or scorer"
            search={type}
            known={shown.map(({ feedback_type }) => feedback_type)}
          />
          <TypedField
            label="By whom"
            placeholder="By whom"
            search={by}
            known={shown.map(({ creator, svc_user_id: id }) => creator ?? nameOf(id))}
          />
        </>
      }
    >
      {list.error ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading what="feedback" />
      ) : shown.length === 0 ? (
        <NoFeedback isFiltered={kind !== '' || type.text !== '' || by.text !== ''} />
      ) : (
        <Table label="Feedback" columns={COLUMNS}>
          {pages.flatMap(({ rows, calls }) =>
            rows.map((one) => <FeedbackRow key={one.id} feedback={one} calls={calls} />),
          )}
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

interface TypedProps {
  readonly label: string;
  readonly placeholder: string;
  readonly search: TypedSearch;
  /** What is offered as one types. */
  readonly known: readonly string[];
}

function TypedField({ label, placeholder, search: { typed, setTyped }, known }: TypedProps) {
  const id = useId();
  return (
    <>
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        list={id}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={id}>
        {[...new Set(known)].sort().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

function NoFeedback({ isFiltered }: { readonly isFiltered: boolean }) {
  const project = useProject();
  if (isFiltered) return <NoMatch title="No feedback matches" all={project.path('feedback')} />;
  return (
    <EmptyNote title="No feedback yet">
      <p>
        Open a call on the page <Link to={project.path('calls')}>Calls</Link> and give it a thumb, or send what your
        users say with the id of the answer:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/feedback/create -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "completion_id": "chatcmpl-…",
       "feedback_type": "hone.reaction.1", "payload": {"emoji": "👍"}}'`}
      />
    </EmptyNote>
  );
}
