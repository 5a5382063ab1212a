import { useState } from 'react';

import { LinkedMedia } from '../media/linked-media.js';
import { TokenText } from '../tokens/token-text.js';
import { Button } from '../ui/button.js';
import { LongText } from '../ui/long-text.js';
import type { ChatTurn } from './chat.js';
import styles from './chat.module.css';

/** Messages that are shown at a time, the last ones first. */
const STEP = 100;

interface Props {
  readonly turns: readonly ChatTurn[];
  /** Whether the last message is being written. */
  readonly isAnswering?: boolean;
}

/** A conversation, each message as plain text: what a model wrote is never run, nor does it load anything unasked. */
export function ChatView({ turns, isAnswering = false }: Props) {
  const [shown, setShown] = useState(STEP);
  const hidden = Math.max(0, turns.length - shown);
  return (
    <>
      {hidden > 0 && (
        <Button onClick={() => setShown(shown + STEP)}>
          {Math.min(STEP, hidden)} earlier messages of {hidden}
        </Button>
      )}
      <ol className={styles['chat']} aria-label="Conversation" aria-live="polite" aria-busy={isAnswering}>
        {turns.slice(hidden).map((turn, index) => (
          <Message key={hidden + index} turn={turn} />
        ))}
      </ol>
    </>
  );
}

const Message = ({ turn: { role, text, tools, tokens, media } }: { readonly turn: ChatTurn }) => (
  <li className={styles['message']} data-role={role}>
    <div className={styles['role']}>{role}</div>
    {tokens && tokens.length > 0 ? (
      <TokenText tokens={tokens} />
    ) : (
      <div className={styles['text']} dir="auto">
        <LongText text={text} />
      </div>
    )}
    {media?.map((one, at) => (
      <LinkedMedia key={at} {...one} />
    ))}
    {tools.map((tool, at) => (
      <pre key={at} className={styles['text']}>
        <LongText text={tool} />
      </pre>
    ))}
  </li>
);
