import type { QueueItemDto } from '@hone/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatAge, shortOpName } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge, type Tone } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';

const PAGE_SIZE = 50;
const STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const;
const TONES: Readonly<Record<string, Tone>> = { completed: 'good', in_progress: 'warn' };
const COLUMNS = [
  { name: 'Call', kind: 'wide' },
  { name: 'State' },
  { name: 'Annotator', kind: 'optional' },
  { name: 'Changed', kind: 'optional' },
  { name: 'Remove', isHidden: true },
] as const;

/** The items of a queue, each with the newest state of any annotator. */
export function QueueItems({ queueId }: { readonly queueId: string }) {
  const project = useProject();
  const [state, setState] = useSearchState('state');
  const chosen = STATES.find((one) => one === state);
  const items = useInfiniteQuery({
    queryKey: ['queue items', project.id, queueId, state],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const body = { project_id: project.id, cursor: pageParam, limit: PAGE_SIZE };
      const filter = chosen ? { annotation_states: [chosen] } : null;
      return hone.trace.queryAnnotationQueueItems({ queue_id: queueId }, { ...body, filter }, { signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const rows = items.data?.pages.flatMap((one) => one.items) ?? [];
  return (
    <section className={page['card']} aria-label="Items">
      <div className={page['row']}>
        <h2>Items</h2>
        <Select aria-label="State of the items" value={state} onChange={({ target }) => setState(target.value)}>
          <option value="">Any state</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {one.replace('_', ' ')}
            </option>
          ))}
        </Select>
      </div>
      {items.error ? (
        <ErrorNote error={items.error} retry={() => void items.refetch()} />
      ) : items.isPending ? (
        <Loading what="items" />
      ) : rows.length === 0 ? (
        <EmptyNote title={chosen ? 'No item is in this state' : 'No calls yet'}>
          <p>
            Choose calls on the page <Link to={project.path('calls')}>Calls</Link>, then “Add to a queue”.
          </p>
        </EmptyNote>
      ) : (
        <Table label="Items of the queue" columns={COLUMNS}>
          {rows.map((item) => (
            <ItemRow key={item.id} item={item} />
          ))}
        </Table>
      )}
      {items.hasNextPage && (
        <Button disabled={items.isFetching} onClick={() => void items.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

function ItemRow({ item }: { readonly item: QueueItemDto }) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  const queries = useQueryClient();
  const { mayWrite } = useRights();
  const removing = useMutation({
    mutationFn: () =>
      hone.trace.removeAnnotationQueueItem({
        ...{ queue_id: item.queue_id, item_id: item.id, project_id: project.id },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['queue items', project.id, item.queue_id] }),
  });
  return (
    <tr>
      <td>
        <Link to={project.path(`calls/${encodeURIComponent(item.call_id)}`)}>{shortOpName(item.call_op_name)}</Link>{' '}
        <span className={page['muted']}>{item.call_id}</span>
      </td>
      <td>
        <Badge tone={TONES[item.annotation_state] ?? 'muted'}>{item.annotation_state.replace('_', ' ')}</Badge>
      </td>
      <td data-kind="optional">{item.annotator_user_id === null ? '' : nameOf(item.annotator_user_id)}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(item.updated_at, now)}
      </td>
      <td>
        {mayWrite && (
          <Button disabled={removing.isPending} onClick={() => removing.mutate()}>
            Remove
          </Button>
        )}
        {removing.error && <ErrorNote error={removing.error} />}
      </td>
    </tr>
  );
}
