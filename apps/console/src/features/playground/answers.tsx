import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { ChatView } from '../../shared/chat/chat-view.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { REACTION } from '../../shared/feedback/feedback.js';
import { Thumbs } from '../../shared/feedback/thumbs.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import type { Conversation } from './conversation.js';
import styles from './playground.module.css';

/** The conversation of one model, whose newest answer is judged here. */
export function Answers({ model, conversation }: { readonly model: string; readonly conversation: Conversation }) {
  const { turns, error, completionId, isAnswering } = conversation;
  return (
    <section className={styles['column']} aria-label={model}>
      <h2>{model}</h2>
      <ChatView turns={turns} isAnswering={isAnswering} />
      {error !== null && <ErrorNote error={error} />}
      {completionId !== null && !isAnswering && <JudgeAnswer key={completionId} completionId={completionId} />}
    </section>
  );
}

/** A thumb may arrive before the call itself is stored. */
function JudgeAnswer({ completionId }: { readonly completionId: string }) {
  const project = useProject();
  const [given, setGiven] = useState<string>();
  const giving = useMutation({
    mutationFn: (emoji: string) =>
      hone.trace.createFeedback({
        ...{ project_id: project.id, completion_id: completionId },
        ...{ feedback_type: REACTION, payload: { emoji } },
      } as never),
    onSuccess: (_, emoji) => setGiven(emoji),
  });
  const callId = completionId.replace(/^chatcmpl-/, '');
  return (
    <>
      <div className={styles['actions']}>
        <Thumbs given={given} disabled={giving.isPending} onJudge={(emoji) => giving.mutate(emoji)} />
        <Link to={project.path(`calls/${encodeURIComponent(callId)}`)}>Open this call</Link>
      </div>
      {giving.error && <ErrorNote error={giving.error} />}
    </>
  );
}
