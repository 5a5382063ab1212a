import type { QueueItemDto } from '@hone/client';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { useProject } from '../../shared/data/project.js';
import { formatTime, shortOpName } from '../../shared/format/format.js';
import { useCall } from '../../shared/payload/use-call.js';
import { useChat } from '../../shared/payload/use-chat.js';
import { ReadableCard } from '../../shared/readable/readable.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Traceback } from '../../shared/ui/traceback.js';
import styles from './annotation.module.css';
import { Around } from './around.js';
import { valueAt } from './value-at.js';

/** The call of an item: the fields that the queue shows, or all that went in and came out. */
export function ItemView({ item }: { readonly item: QueueItemDto }) {
  const project = useProject();
  const read = useCall(item.call_id);
  const conversation = useChat(read.data);
  if (read.error) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Loading what="the call" />;
  if (read.data.call === null)
    return (
      <EmptyNote title="The call of this item is gone">
        <p>It was deleted, or the time for which the project keeps calls is over. Skip the item.</p>
      </EmptyNote>
    );
  const { call } = read.data;
  const { inputs, output, exception } = call;
  const chat = item.display_fields.length === 0 ? conversation : null;
  return (
    <article className={styles['item']} aria-label="Call to judge">
      <header className={styles['itemHead']}>
        <h2>{call.display_name ?? shortOpName(item.call_op_name)}</h2>
        <span className={styles['muted']}>{formatTime(item.call_started_at)}</span>
        <Link to={project.path(`calls/${encodeURIComponent(item.call_id)}`)}>Open the trace</Link>
      </header>
      {exception && <Traceback text={exception} />}
      {item.display_fields.map((field) => (
        <ReadableCard key={field} title={field} path={field} value={valueAt(call, field) ?? null} />
      ))}
      {chat && <ChatView turns={chat} />}
      {item.display_fields.length === 0 && !chat && (
        <>
          <ReadableCard title="Inputs" path="inputs" value={inputs} />
          <ReadableCard title="Output" path="output" value={output} />
        </>
      )}
      <Around call={call} />
    </article>
  );
}
