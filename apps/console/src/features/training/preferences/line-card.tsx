import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { toTurn } from '../../../shared/chat/chat.js';
import { ChatView } from '../../../shared/chat/chat-view.js';
import { TokenText } from '../../../shared/tokens/token-text.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { scoreAnswers, type ScoredAnswer } from './log-probabilities.js';
import type { JudgedAnswer, PreferenceLine } from './preference-lines.js';
import styles from './preferences.module.css';

/** Names by which requests ask for them. */
export interface ScoringModels {
  /** The checkpoint that the job made. */
  readonly policy: string;
  /** What it is compared with. */
  readonly reference: string;
}

interface Props {
  readonly number: number;
  readonly line: PreferenceLine;
  /** null: the job has made no checkpoint. */
  readonly models: ScoringModels | null;
}

const LABELS = { chosen: 'Chosen', rejected: 'Rejected', liked: 'Liked', disliked: 'Disliked' } as const;

/** What was asked, and its answers side by side; asked for, how likely the models find each of them. */
export function LineCard({ number, line, models }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const scores = useQuery({
    queryKey: ['answer log-probabilities', models, line],
    queryFn: async ({ signal }) => {
      const { policy, reference } = models as ScoringModels;
      const [after, before] = await Promise.all([policy, reference].map((model) => scoreAnswers(model, line, signal)));
      return line.answers.map((_answer, at) => ({ after: after?.[at], before: before?.[at] }));
    },
    ...{ enabled: isOpen && models !== null, staleTime: Infinity, retry: false },
  });
  return (
    <article className={styles['line']} aria-label={`Line ${number}`}>
      <ChatView turns={line.asked.map(toTurn)} />
      <div className={styles['answers']}>
        {line.answers.map((answer, at) => (
          <Answer key={answer.label} answer={answer} score={scores.data?.[at]} />
        ))}
      </div>
      {models && !isOpen && <Button onClick={() => setIsOpen(true)}>Log-probabilities</Button>}
      {isOpen && scores.isPending && <Loading what="log-probabilities" />}
      {scores.error && <ErrorNote error={scores.error} retry={() => void scores.refetch()} />}
      {scores.data && line.answers.length === 2 && <Margin scores={scores.data} />}
    </article>
  );
}

interface Score {
  readonly after: ScoredAnswer | undefined;
  readonly before: ScoredAnswer | undefined;
}

function Answer({ answer, score }: { readonly answer: JudgedAnswer; readonly score: Score | undefined }) {
  return (
    <section className={styles['answer']} data-label={answer.label} aria-label={LABELS[answer.label]}>
      <h3>{LABELS[answer.label]}</h3>
      {score?.after ? <TokenText tokens={score.after.tokens} /> : <ChatView turns={answer.messages.map(toTurn)} />}
      {score?.after && score.before && (
        <p className={styles['figures']}>
          {nats(score.after.sum)} by the policy, {nats(score.before.sum)} by the reference:{' '}
          <b>{signed(score.after.sum - score.before.sum)}</b>
        </p>
      )}
    </section>
  );
}

/** How much more the chosen answer gained than the rejected one. */
function Margin({ scores: [chosen, rejected] }: { readonly scores: readonly Score[] }) {
  const gain = (score: Score | undefined) => (score?.after?.sum ?? NaN) - (score?.before?.sum ?? NaN);
  const margin = gain(chosen) - gain(rejected);
  return Number.isNaN(margin) ? null : (
    <p>
      The chosen answer gained <b>{signed(margin)}</b> nats more than the rejected one.
    </p>
  );
}

const nats = (value: number): string => `${value.toFixed(2)} nats`;
const signed = (value: number): string => (value < 0 ? value.toFixed(2) : `+${value.toFixed(2)}`);
