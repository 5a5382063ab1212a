import type { ThreadDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { ThreadRow } from './thread-row.js';
import { useAboutThreads } from './use-about-threads.js';

const PAGE_SIZE = 100;
const ORDERS = { last_updated: 'Newest first', turn_count: 'Most turns first', start_time: 'Last begun first' };
const COLUMNS = [
  { name: 'Conversation', kind: 'wide' },
  { name: 'Turns', kind: 'number' },
  { name: 'Median turn', kind: 'optional number' },
  { name: 'Tokens', kind: 'optional number' },
  { name: 'Cost', kind: 'optional number' },
  { name: 'Feedback', kind: 'optional' },
  { name: 'Last', kind: 'number' },
] as const;

/** The conversations of a project. */
export default function ThreadsPage() {
  const project = useProject();
  const [order, setOrder] = useSearchState('order');
  const [shown, setShown] = useSearchState('shown');
  const limit = Math.max(PAGE_SIZE, Number(shown) || 0);
  const threads = useQuery({
    queryKey: ['threads', project.id, order, limit],
    queryFn: async ({ signal }) => {
      const found: ThreadDto[] = [];
      const field = order in ORDERS ? (order as keyof typeof ORDERS) : 'last_updated';
      // One more than is shown says whether there are more.
      const sort_by = [{ field, direction: 'desc' as const }];
      const query = { project_id: project.id, limit: limit + 1, sort_by, with_calls: true };
      for await (const thread of hone.trace.queryThreads(query, { signal })) found.push(thread);
      return found;
    },
    placeholderData: (before) => before,
  });
  const about = useAboutThreads(threads.data?.slice(0, limit));
  return (
    <Page
      title="Threads"
      actions={
        <Select
          aria-label="Order"
          value={order}
          onChange={({ target }) => setOrder(target.value === 'last_updated' ? '' : target.value)}
        >
          {Object.entries(ORDERS).map(([field, label]) => (
            <option key={field} value={field === 'last_updated' ? '' : field}>
              {label}
            </option>
          ))}
        </Select>
      }
    >
      {threads.error ? (
        <ErrorNote error={threads.error} retry={() => void threads.refetch()} />
      ) : !threads.data ? (
        <Loading what="conversations" />
      ) : threads.data.length === 0 ? (
        <EmptyNote title="No conversations yet">
          <p>Chats that name a thread belong together. Name one with the header Hone-Thread:</p>
          <Snippet
            text={`curl -H "Authorization: Bearer $HONE_API_KEY" -H 'Hone-Project: ${project.id}' -H 'Hone-Thread: support-1' \\
  ${location.origin}/v1/chat/completions -H 'Content-Type: application/json' \\
  -d '{"model":"hone-tiny","messages":[{"role":"user","content":"Who are you?"}]}'`}
          />
        </EmptyNote>
      ) : (
        <Table label="Conversations" columns={COLUMNS}>
          {threads.data.slice(0, limit).map((thread) => (
            <ThreadRow key={thread.thread_id} thread={thread} about={about.data} />
          ))}
        </Table>
      )}
      {threads.data && threads.data.length > limit && (
        <p className={page['more']}>
          <Button disabled={threads.isFetching} onClick={() => setShown(String(limit + PAGE_SIZE))}>
            Show more
          </Button>
        </p>
      )}
    </Page>
  );
}
