import { useState } from 'react';

import { isMarkdown } from '../markdown/block.js';
import { FormattedText } from '../markdown/formatted-text.js';
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

/**
 * A conversation, its messages with their Markdown formatted or as they were sent. What a model wrote is never run, nor
 * does it load anything unasked.
 */
export function ChatView({ turns, isAnswering = false }: Props) {
  const [shown, setShown] = useState(STEP);
  const [isFormatted, setIsFormatted] = useState(true);
  const hidden = Math.max(0, turns.length - shown);
  return (
    <>
      {turns.some(({ text }) => isMarkdown(text)) && (
        <div className={styles['tools']}>
          <Button aria-pressed={!isFormatted} onClick={() => setIsFormatted(!isFormatted)}>
            As it was sent
          </Button>
        </div>
      )}
      {hidden > 0 && (
        <Button onClick={() => setShown(shown + STEP)}>
          {Math.min(STEP, hidden)} earlier messages of {hidden}
        </Button>
      )}
      <ol className={styles['chat']} aria-label="Conversation" aria-live="polite" aria-busy={isAnswering}>
        {turns.slice(hidden).map((turn, index, { length }) => (
          <Message
            key={hidden + index}
            turn={turn}
            // What is being written would be parsed again with each word.
            isFormatted={isFormatted && !(isAnswering && index === length - 1)}
          />
        ))}
      </ol>
    </>
  );
}

interface MessageProps {
  readonly turn: ChatTurn;
  readonly isFormatted: boolean;
}

const Message = (props: MessageProps) => (
  <li className={styles['message']} data-role={props.turn.role}>
    <MessageBody {...props} />
  </li>
);

/** One message of a conversation. */
export const MessageBody = ({ turn: { role, text, reasoning, tools, tokens, media }, isFormatted }: MessageProps) => (
  <>
    <div className={styles['role']}>{role}</div>
    {reasoning && (
      <details className={styles['reasoning']}>
        <summary>Reasoning</summary>
        <div className={styles['text']} dir="auto">
          <LongText text={reasoning} />
        </div>
      </details>
    )}
    {tokens && tokens.length > 0 ? (
      <TokenText tokens={tokens} />
    ) : (
      <FormattedText text={text} isFormatted={isFormatted} />
    )}
    {media?.map((one, at) => (
      <LinkedMedia key={at} {...one} />
    ))}
    {tools.map((tool, at) => (
      <pre key={at} className={styles['text']}>
        <LongText text={tool} />
      </pre>
    ))}
  </>
);
