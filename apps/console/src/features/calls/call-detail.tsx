import { useQuery } from '@tanstack/react-query';
import { Maximize2, X } from 'lucide-react';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { toChat } from '../../shared/chat/chat.js';
import { exactHone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatCount, formatDuration, formatTime, shortOpName } from '../../shared/format/format.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { toCallRow } from './call-row.js';
import styles from './calls.module.css';
import { StatusMark } from './status-mark.js';

const POLL_MS = 2_000;

interface Props {
  readonly id: string;
  /** Closes the panel that the call is shown in. Absent: it is on a page of its own. */
  readonly close?: () => void;
}

/** All of one call: what went in, what came out, what it used, and what was said of it. */
export function CallDetail({ id, close }: Props) {
  const project = useProject();
  const query = useQuery({
    queryKey: ['call', project.id, id],
    queryFn: async ({ signal }) => (await exactHone.trace.readCall({ project_id: project.id, id }, { signal })).call,
    // Until it has ended.
    refetchInterval: ({ state }) => (state.data?.ended_at ? false : POLL_MS),
  });
  if (query.error) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading what="the call" />;
  if (query.data === null)
    return (
      <EmptyNote title="There is no such call">
        <p>It was deleted, or the time for which the project keeps calls is over.</p>
      </EmptyNote>
    );
  const call = query.data;
  const row = toCallRow(call);
  const chat = toChat(call.inputs, call.output);
  return (
    <article className={styles['detail']}>
      <header className={styles['title']}>
        <StatusMark status={row.status} />
        <h2>{row.displayName ?? shortOpName(row.opName)}</h2>
        {close && (
          <>
            <Link to={project.path(`calls/${encodeURIComponent(id)}`)} title="Open the whole trace">
              <Maximize2 size={16} aria-label="Open the whole trace" />
            </Link>
            <Button kind="plain" aria-label="Close" onClick={close}>
              <X size={16} aria-hidden />
            </Button>
          </>
        )}
      </header>
      <CallFeedback callId={id} />
      {call.exception && <p className={styles['exception']}>{call.exception}</p>}
      <dl className={styles['facts']}>
        <dt>Op</dt>
        <dd>{row.opName}</dd>
        <dt>Began</dt>
        <dd>{formatTime(row.startedAt)}</dd>
        <dt>Latency</dt>
        <dd>{formatDuration(row.latencyMs)}</dd>
        {row.tokens !== null && (
          <>
            <dt>Tokens</dt>
            <dd>
              {formatCount(row.tokens)} · {row.models.join(', ')}
            </dd>
          </>
        )}
        {row.threadId !== null && (
          <>
            <dt>Thread</dt>
            <dd>
              <Link to={project.path(`threads/${encodeURIComponent(row.threadId)}`)}>{row.threadId}</Link>
            </dd>
          </>
        )}
        <dt>Id</dt>
        <dd>{id}</dd>
      </dl>
      {chat && <ChatView turns={chat} />}
      <ValueCard title="Inputs" value={call.inputs} />
      <ValueCard title="Output" value={call.output} />
      <ValueCard title="Attributes" value={call.attributes} />
      <ValueCard title="Summary" value={call.summary} />
    </article>
  );
}
