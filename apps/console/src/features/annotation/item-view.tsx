import type { QueueItemDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { toChat } from '../../shared/chat/chat.js';
import { exactHone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatTime, shortOpName } from '../../shared/format/format.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';
import { valueAt } from './value-at.js';

/** The call of an item: the fields that the queue shows, or all that went in and came out. */
export function ItemView({ item }: { readonly item: QueueItemDto }) {
  const project = useProject();
  const call = useQuery({
    queryKey: ['call', project.id, item.call_id],
    queryFn: async ({ signal }) =>
      (await exactHone.trace.readCall({ project_id: project.id, id: item.call_id }, { signal })).call,
  });
  if (call.error) return <ErrorNote error={call.error} retry={() => void call.refetch()} />;
  if (call.data === undefined) return <Loading what="the call" />;
  if (call.data === null)
    return (
      <EmptyNote title="The call of this item is gone">
        <p>It was deleted, or the time for which the project keeps calls is over. Skip the item.</p>
      </EmptyNote>
    );
  const { inputs, output, exception } = call.data;
  const chat = item.display_fields.length === 0 ? toChat(inputs, output) : null;
  return (
    <article className={styles['item']} aria-label="Call to judge">
      <header className={styles['itemHead']}>
        <h2>{call.data.display_name ?? shortOpName(item.call_op_name)}</h2>
        <span className={styles['muted']}>{formatTime(item.call_started_at)}</span>
        <Link to={project.path(`calls/${encodeURIComponent(item.call_id)}`)}>Open the trace</Link>
      </header>
      {exception && <p className={styles['exception']}>{exception}</p>}
      {item.display_fields.map((field) => (
        <ValueCard key={field} title={field} value={valueAt(call.data, field) ?? null} />
      ))}
      {chat && <ChatView turns={chat} />}
      {item.display_fields.length === 0 && !chat && (
        <>
          <ValueCard title="Inputs" value={inputs} />
          <ValueCard title="Output" value={output} />
        </>
      )}
    </article>
  );
}
