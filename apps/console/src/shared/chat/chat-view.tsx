import { TokenText } from '../tokens/token-text.js';
import type { ChatTurn } from './chat.js';
import styles from './chat.module.css';

interface Props {
  readonly turns: readonly ChatTurn[];
  /** Whether the last message is being written. */
  readonly isAnswering?: boolean;
}

/** A conversation, each message as plain text: what a model wrote is never run, nor does it load anything. */
export const ChatView = ({ turns, isAnswering = false }: Props) => (
  <ol className={styles['chat']} aria-label="Conversation" aria-live="polite" aria-busy={isAnswering}>
    {turns.map(({ role, text, tools, tokens }, index) => (
      <li key={index} className={styles['message']} data-role={role}>
        <div className={styles['role']}>{role}</div>
        {tokens && tokens.length > 0 ? (
          <TokenText tokens={tokens} />
        ) : (
          <div className={styles['text']} dir="auto">
            {text}
          </div>
        )}
        {tools.map((tool, at) => (
          <pre key={at} className={styles['text']}>
            {tool}
          </pre>
        ))}
      </li>
    ))}
  </ol>
);
