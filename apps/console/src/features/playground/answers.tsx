import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { ChatView } from '../../shared/chat/chat-view.js';
import { hone } from '../../shared/data/hone.js';
import { modelTitle } from '../../shared/data/model-names.js';
import { useProject } from '../../shared/data/project.js';
import { REACTION } from '../../shared/feedback/feedback.js';
import { Thumbs } from '../../shared/feedback/thumbs.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { type Conversation, resultTurns, type Turn } from './conversation.js';
import styles from './playground.module.css';
import { BetterButton } from './preference/better-button.js';
import { SaveAs } from './save-as/save-as.js';
import type { Answer } from './save-as/saved.js';
import { ToolResults } from './tool-results.js';

interface Props {
  readonly model: string;
  readonly conversation: Conversation;
  /** Whether another answer is written, or nothing can be sent. */
  readonly isBusy: boolean;
  /** Goes on after further turns. */
  readonly goOn: (turns: readonly Turn[]) => void;
  /** Takes the messages back into the fields. */
  readonly edit: () => void;
  /** Other answers to the same messages, and which of all was said to be the best. */
  readonly rivals: readonly string[];
  readonly best: string | null;
  readonly setBest: (completionId: string) => void;
}

/** The conversation of one model, whose newest answer is judged here. */
export function Answers({ model, conversation, isBusy, goOn, edit, rivals, best, setBest }: Props) {
  const project = useProject();
  const { turns, error, isAnswering, completionId } = conversation;
  const calls = isAnswering ? [] : (turns.at(-1)?.calls ?? []);
  const answer = toAnswer(model, conversation);
  return (
    <section className={styles['column']} aria-label={model}>
      <h2 title={model}>{modelTitle(model, project.id)}</h2>
      <ChatView turns={turns} isAnswering={isAnswering} />
      {error !== null && <ErrorNote error={error} />}
      {calls.length > 0 && (
        <ToolResults
          key={`results:${completionId}`}
          calls={calls}
          disabled={isBusy}
          send={(results) => goOn(resultTurns(calls, results))}
        />
      )}
      {answer !== null && (
        <JudgeAnswer key={`judged:${answer.completionId}`} answer={answer}>
          {rivals.length > 0 && (
            <BetterButton
              {...{ rivals, best }}
              completionId={answer.completionId}
              onGiven={() => setBest(answer.completionId)}
            />
          )}
        </JudgeAnswer>
      )}
      {!isAnswering && turns.length > 0 && (
        <p>
          <Button onClick={edit}>Edit these messages</Button>
        </p>
      )}
    </section>
  );
}

/** The newest answer, once it has ended; null: there is none. */
function toAnswer(model: string, { turns, asked, answeredAt, completionId }: Conversation): Answer | null {
  const turn = turns.at(-1);
  if (turn?.role !== 'assistant' || asked === null || answeredAt === null || completionId === null) return null;
  const { messages, parameters, at } = asked;
  return { model, messages, parameters, text: turn.text, tools: turn.tools, completionId, askedAt: at, answeredAt };
}

/** A thumb may arrive before the call itself is stored. */
function JudgeAnswer({ answer, children }: { readonly answer: Answer; readonly children: ReactNode }) {
  const project = useProject();
  const [given, setGiven] = useState<string>();
  const giving = useMutation({
    mutationFn: (emoji: string) =>
      hone.trace.createFeedback({
        ...{ project_id: project.id, completion_id: answer.completionId },
        ...{ feedback_type: REACTION, payload: { emoji } },
      } as never),
    onSuccess: (_, emoji) => setGiven(emoji),
  });
  return (
    <>
      <div className={styles['actions']}>
        <Thumbs given={given} disabled={giving.isPending} onJudge={(emoji) => giving.mutate(emoji)} />
        {children}
        <SaveAs answer={answer} />
      </div>
      {giving.error && <ErrorNote error={giving.error} />}
    </>
  );
}
