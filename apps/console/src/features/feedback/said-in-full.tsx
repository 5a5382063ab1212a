import { useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { WordDiff } from '../../shared/diff/word-diff.js';
import { type Feedback, NOTE } from '../../shared/feedback/feedback.js';
import { JudgeSaid } from '../../shared/feedback/judge-said.js';
import { Said } from '../../shared/feedback/said.js';
import { FormattedText } from '../../shared/markdown/formatted-text.js';
import { useCall } from '../../shared/payload/use-call.js';
import { useChat } from '../../shared/payload/use-chat.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { answerText, correctionText } from './correction.js';
import styles from './feedback.module.css';

const CORRECTION = 'hone.correction.1';
const PREFERENCE = 'hone.preference.1';

interface Props {
  readonly feedback: Feedback;
  /** null: the judgement is of no call of the project. */
  readonly callId: string | null;
}

/** All of what was said: notes and corrections as texts, the rest on one line. */
export function SaidInFull({ feedback, callId }: Props) {
  const { feedback_type: type, payload } = feedback;
  if (type === NOTE && typeof payload['note'] === 'string') return <FormattedText text={payload['note']} isFormatted />;
  const corrected = type === CORRECTION ? correctionText(payload['output']) : null;
  if (corrected !== null) return <Correction text={corrected} callId={callId} />;
  if (type === PREFERENCE) return <Preference payload={payload} />;
  const said = payload['value'];
  // A long answer of an annotator is more than a line.
  if (type.startsWith('hone.annotation.') && typeof said === 'string')
    return (
      <>
        {type.replace('hone.annotation.', '')}:
        <FormattedText text={said} isFormatted />
      </>
    );
  return feedback.runnable_ref === null ? <Said {...feedback} /> : <JudgeSaid {...feedback} />;
}

function Correction({ text, callId }: { readonly text: string; readonly callId: string | null }) {
  const [isDiff, setIsDiff] = useState(false);
  return (
    <>
      <p className={styles['head']}>
        A better answer
        {callId !== null && (
          <Button aria-pressed={isDiff} onClick={() => setIsDiff(!isDiff)}>
            What was changed
          </Button>
        )}
      </p>
      {isDiff && callId !== null ? <Changes callId={callId} text={text} /> : <FormattedText text={text} isFormatted />}
    </>
  );
}

function Changes({ callId, text }: { readonly callId: string; readonly text: string }) {
  const read = useCall(callId);
  const chat = useChat(read.data);
  if (read.error) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Loading what="the answer" />;
  const answer = answerText(chat, read.data.call?.output);
  if (answer === null) return <p>The call that it is of is gone, or has no text as its answer.</p>;
  return <WordDiff label="What was changed" before={answer} after={text} />;
}

function Preference({ payload }: { readonly payload: Feedback['payload'] }) {
  const project = useProject();
  const linked = (ref: unknown, words: string) => {
    const id = parseRef(String(ref))?.name;
    return id === undefined ? words : <Link to={project.path(`calls/${encodeURIComponent(id)}`)}>{words}</Link>;
  };
  const { chosen, rejected, reason } = payload;
  return (
    <>
      {linked(chosen, 'This answer')} is better than {linked(rejected, 'another one')}
      {typeof reason === 'string' && reason !== '' && <FormattedText text={reason} isFormatted />}
    </>
  );
}
