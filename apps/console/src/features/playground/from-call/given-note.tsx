import { Link } from 'wouter';

import { ChatView } from '../../../shared/chat/chat-view.js';
import { useProject } from '../../../shared/data/project.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import type { Turn } from '../conversation.js';
import styles from '../playground.module.css';

interface Props {
  readonly callId: string;
  readonly leftOut: readonly string[];
}

/** Which call the fields were filled in from, and what of it they do not have. */
export function GivenNote({ callId, leftOut }: Props) {
  const project = useProject();
  return (
    <div className={page['muted']}>
      <p>
        Filled in from <Link to={project.path(`calls/${encodeURIComponent(callId)}`)}>call {callId}</Link>.
        {leftOut.length > 0 && ' Not taken over:'}
      </p>
      {leftOut.length > 0 && (
        <ul aria-label="Not taken over">
          {leftOut.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface EarlierProps {
  readonly turns: readonly Turn[];
  readonly drop: () => void;
}

/** Messages that are sent before the next question. */
export const EarlierMessages = ({ turns, drop }: EarlierProps) => (
  <section aria-label="Earlier messages" className={styles['column']}>
    <div className={styles['actions']}>
      <h2>{turns.length === 1 ? 'One earlier message is' : `${turns.length} earlier messages are`} sent, too</h2>
      <Button onClick={drop}>{turns.length === 1 ? 'Drop it' : 'Drop them'}</Button>
    </div>
    <details>
      <summary>Show</summary>
      <ChatView turns={turns} />
    </details>
  </section>
);
