import type { ChatTurn } from './chat.js';
import styles from './chat.module.css';

/** A conversation, each message as plain text: what a model wrote is never run, nor does it load anything. */
export const ChatView = ({ turns }: { readonly turns: readonly ChatTurn[] }) => (
  <ol className={styles['chat']} aria-label="Conversation">
    {turns.map(({ role, text, tools }, index) => (
      <li key={index} className={styles['message']} data-role={role}>
        <div className={styles['role']}>{role}</div>
        <div className={styles['text']} dir="auto">
          {text}
        </div>
        {tools.map((tool, at) => (
          <pre key={at} className={styles['text']}>
            {tool}
          </pre>
        ))}
      </li>
    ))}
  </ol>
);
