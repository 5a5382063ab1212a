import { useState } from 'react';

import { ChatView } from '../../../shared/chat/chat-view.js';
import { MessageFields } from '../../../shared/messages/message-fields.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import styles from '../playground.module.css';
import type { Earlier } from './use-earlier.js';

interface Props {
  readonly earlier: Earlier;
  /** Whether they are edited at first. */
  readonly isEdited: boolean;
}

/** Messages that are sent before the next question: read, edited, or left out. */
export function EarlierMessages({ earlier: { drafts, setDrafts, turns, problem }, isEdited }: Props) {
  const [isEditing, setIsEditing] = useState(isEdited);
  const count = drafts.length;
  return (
    <section aria-label="Earlier messages" className={styles['column']}>
      <div className={styles['actions']}>
        <h2>{count === 1 ? 'One earlier message is' : `${count} earlier messages are`} sent, too</h2>
        <Button aria-pressed={isEditing} onClick={() => setIsEditing(!isEditing)}>
          {count === 1 ? 'Edit it' : 'Edit them'}
        </Button>
        <Button onClick={() => setDrafts([])}>{count === 1 ? 'Drop it' : 'Drop them'}</Button>
      </div>
      {problem !== null && (
        <p role="status" className={page['problem']}>
          {problem}
        </p>
      )}
      {isEditing ? (
        <MessageFields drafts={drafts} change={setDrafts} />
      ) : (
        <details>
          <summary>Show</summary>
          <ChatView turns={turns} />
        </details>
      )}
    </section>
  );
}
