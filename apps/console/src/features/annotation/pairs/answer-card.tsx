import { ChatView } from '../../../shared/chat/chat-view.js';
import { useCall } from '../../../shared/payload/use-call.js';
import { useChat } from '../../../shared/payload/use-chat.js';
import { ReadableCard } from '../../../shared/readable/readable.js';
import { Button } from '../../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../../shared/ui/notes.js';
import styles from './pairs.module.css';

interface Props {
  readonly callId: string;
  /** On which side it is. */
  readonly title: 'Left' | 'Right';
  readonly hotkey: string;
  readonly choose: () => void;
  readonly isStoring: boolean;
  /** Whether what both were asked is shown above, too. */
  readonly withPrompt?: boolean;
}

/** One of two answers. Which model wrote it is not said. */
export function AnswerCard({ callId, title, hotkey, choose, isStoring, withPrompt = false }: Props) {
  const read = useCall(callId);
  const chat = useChat(read.data);
  const call = read.data?.call;
  const asked = chat ? (
    <ChatView turns={chat.slice(0, -1)} />
  ) : (
    <ReadableCard title="Inputs" path="inputs" value={call?.inputs} />
  );
  return (
    <>
      {withPrompt && call && (
        <section className={styles['prompt']} aria-label="Asked">
          {asked}
        </section>
      )}
      <article className={styles['answer']} aria-label={`${title} answer`}>
        {read.error ? (
          <ErrorNote error={read.error} retry={() => void read.refetch()} />
        ) : read.data === undefined ? (
          <Loading what="the answer" />
        ) : !call ? (
          <EmptyNote title="The call is gone">
            <p>It was deleted. Skip the pair.</p>
          </EmptyNote>
        ) : (
          <>
            {chat ? (
              <ChatView turns={chat.slice(-1)} />
            ) : (
              <ReadableCard title="Output" path="output" value={call.output} />
            )}
            <Button kind="primary" disabled={isStoring} onClick={choose}>
              This one is better <kbd>{hotkey}</kbd>
            </Button>
          </>
        )}
      </article>
    </>
  );
}
