import type { CallDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { ConversationView } from '../../shared/conversation/conversation-view.js';
import { useProject } from '../../shared/data/project.js';
import { usePageKeys } from '../../shared/keyboard/use-page-keys.js';
import { ReadableCard } from '../../shared/readable/readable.js';
import type { Turn } from '../../shared/threads/turns.js';
import { useThread } from '../../shared/threads/use-thread.js';
import { traceQuery } from '../../shared/trace/trace-query.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';

/** What was said around a call: the turns of its conversation, or the messages of its trace. */
export function Around({ call }: { readonly call: CallDto }) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = () => setIsOpen(!isOpen);
  usePageKeys({ c: toggle });
  const what = call.thread_id ? 'The conversation around it' : 'All messages of its trace';
  return (
    <section aria-label={what}>
      <Button aria-expanded={isOpen} onClick={toggle}>
        {what} <kbd>C</kbd>
      </Button>
      {isOpen && (call.thread_id ? <Turns threadId={call.thread_id} call={call} /> : <Messages callId={call.id} />)}
    </section>
  );
}

function Turns({ threadId, call }: { readonly threadId: string; readonly call: CallDto }) {
  const thread = useThread(threadId);
  if (thread.error) return <ErrorNote error={thread.error} retry={() => void thread.refetch()} />;
  if (!thread.data) return <Loading what="the conversation" />;
  return (
    <ol className={styles['turns']} aria-label="Turns">
      {thread.data.map((turn, index) => (
        <li key={turn.callId} aria-label={`Turn ${index + 1}`} aria-current={isOf(turn, call) ? 'true' : undefined}>
          <h3>
            Turn {index + 1}
            {isOf(turn, call) && <span className={styles['muted']}> · the one to judge</span>}
          </h3>
          {turn.chat ? (
            <ChatView turns={turn.chat} />
          ) : (
            <>
              <ReadableCard title="Inputs" path="inputs" value={turn.inputs} />
              <ReadableCard title="Output" path="output" value={turn.output ?? null} />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

/** A turn is the outermost call: the one to judge may be within it. */
const isOf = ({ callId }: Turn, { id, trace_id }: CallDto): boolean => callId === id || callId === trace_id;

function Messages({ callId }: { readonly callId: string }) {
  const project = useProject();
  const [, navigate] = useLocation();
  const trace = useQuery(traceQuery(project.id, callId));
  if (trace.error) return <ErrorNote error={trace.error} retry={() => void trace.refetch()} />;
  if (!trace.data) return <Loading what="the trace" />;
  const select = (id: string) => navigate(project.path(`calls/${encodeURIComponent(id)}?view=conversation`));
  return (
    <div className={styles['messages']}>
      <ConversationView trace={trace.data} selected={callId} select={select} />
    </div>
  );
}
