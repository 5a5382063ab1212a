import { LinkedMedia } from '../media/linked-media.js';
import { LongText } from '../ui/long-text.js';
import type { ToolCall, ToolResult } from './conversation.js';
import styles from './conversation.module.css';

interface Props {
  readonly call: ToolCall;
  /** undefined: no call that is read so far was sent one. */
  readonly result: ToolResult | undefined;
  readonly select: (id: string) => void;
}

/** A tool that a model called, with what came back. */
export const ToolCallView = ({ call: { name, args }, result, select }: Props) => (
  <div className={styles['tool']} role="group" aria-label={`Tool ${name}`}>
    <pre>
      <b>{name}</b>(<LongText text={args} />)
    </pre>
    {result ? (
      <>
        <div className={styles['result']}>
          <button type="button" className={styles['call']} onClick={() => select(result.callId)}>
            Result
          </button>
        </div>
        <pre>
          <LongText text={result.turn.text} />
        </pre>
        {result.turn.media?.map((one, at) => (
          <LinkedMedia key={at} {...one} />
        ))}
      </>
    ) : (
      <span className={styles['muted']}>No result yet</span>
    )}
  </div>
);
