import type { SentMessage } from '../../shared/chat/chat.js';
import { toTurn } from '../../shared/chat/chat.js';
import { LinkedMedia } from '../../shared/media/linked-media.js';
import { piecesOf, type Variables } from '../../shared/prompts/prompt.js';
import { LongText } from '../../shared/ui/long-text.js';
import styles from './prompts.module.css';

/** Longer texts are shown by steps, without their variables marked. */
const MAX_MARKED = 50_000;

interface Props {
  readonly messages: readonly SentMessage[];
  /** What stands in place of variables; the others are shown by their names. */
  readonly variables: Variables;
}

/** The messages of a prompt by their roles, with the variables marked. */
export const PromptMessages = ({ messages, variables }: Props) => (
  <ol className={styles['messages']} aria-label="Messages">
    {messages.map(toTurn).map(({ role, text, tools, media }, at) => (
      <li key={at} className={styles['message']} data-role={role}>
        <div className={styles['role']}>{role}</div>
        <div className={styles['said']} dir="auto">
          {text.length > MAX_MARKED ? <LongText text={text} /> : <Marked text={text} variables={variables} />}
        </div>
        {media?.map((one, index) => (
          <LinkedMedia key={index} {...one} />
        ))}
        {tools.map((tool, index) => (
          <pre key={index} className={styles['said']}>
            <Marked text={tool} variables={variables} />
          </pre>
        ))}
      </li>
    ))}
  </ol>
);

const Marked = ({ text, variables }: { readonly text: string; readonly variables: Variables }) =>
  piecesOf(text).map(({ text: piece, variable }, at) => {
    if (variable === null) return piece;
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    return (
      <mark key={at} className={styles['variable']} data-filled={value !== undefined} title={variable}>
        {value ?? piece}
      </mark>
    );
  });
