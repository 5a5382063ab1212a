import { useState } from 'react';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { useProject } from '../../shared/data/project.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { formatCount, formatTime } from '../../shared/format/format.js';
import { ValueCard } from '../../shared/json-view/value-card.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import type { Turn } from '../../shared/threads/turns.js';
import { useThread } from '../../shared/threads/use-thread.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { Traceback } from '../../shared/ui/traceback.js';
import styles from './threads.module.css';

/** Turns that are shown at a time. */
const STEP = 50;

/** A conversation turn by turn, each with what people said of it. */
export default function ThreadPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [shown, setShown] = useState(STEP);
  const thread = useThread(id);
  const back = <Link to={project.path('threads')}>Threads</Link>;
  if (!thread.data) {
    const retry = () => void thread.refetch();
    return <PendingPage title={id} what="the conversation" error={thread.error} {...{ back, retry }} />;
  }
  if (thread.data.length === 0)
    return (
      <Page title={id} back={back}>
        <EmptyNote title="There is no such conversation">
          <p>Its calls were deleted, or the time for which the project keeps calls is over.</p>
        </EmptyNote>
      </Page>
    );
  return (
    <Page
      title={id}
      back={back}
      actions={
        <span className={page['muted']}>
          {formatCount(thread.data.length)} {thread.data.length === 1 ? 'turn' : 'turns'}
        </span>
      }
    >
      <ol className={styles['turns']} aria-label="Turns">
        {thread.data.slice(0, shown).map((turn, index) => (
          <TurnView key={turn.callId} turn={turn} number={index + 1} />
        ))}
      </ol>
      {thread.data.length > shown && (
        <p className={page['more']}>
          <Button onClick={() => setShown(shown + STEP)}>Show more</Button>
        </p>
      )}
    </Page>
  );
}

function TurnView({ turn, number }: { readonly turn: Turn; readonly number: number }) {
  const project = useProject();
  return (
    <li className={styles['turn']} aria-label={`Turn ${number}`}>
      <header className={page['row']}>
        <h2>Turn {number}</h2>
        <span className={page['muted']}>{formatTime(turn.startedAt)}</span>
        <Link to={project.path(`calls/${encodeURIComponent(turn.callId)}`)}>Open the trace</Link>
      </header>
      {turn.chat ? (
        <ChatView turns={turn.chat} />
      ) : (
        <>
          <ValueCard title="Inputs" value={turn.inputs} />
          <ValueCard title="Output" value={turn.output ?? null} />
        </>
      )}
      {turn.exception !== null && <Traceback text={turn.exception} />}
      <CallFeedback callId={turn.callId} />
    </li>
  );
}
