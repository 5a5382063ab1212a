import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useState } from 'react';

import { hone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { formatAge, formatTime } from '../format/format.js';
import { useNow } from '../format/use-now.js';
import { Button } from '../ui/button.js';
import { ErrorNote, Loading } from '../ui/notes.js';
import { type Feedback, toFeedback } from './feedback.js';
import styles from './feedback.module.css';
import { JudgeSaid } from './judge-said.js';
import { Said } from './said.js';

/** What somebody said, when, and what it said before it was replaced. */
export function FeedbackItem({ feedback: { id, creator, created_at, ...said } }: { readonly feedback: Feedback }) {
  const now = useNow();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      {said.runnable_ref === null ? <Said {...said} /> : <JudgeSaid {...said} />}{' '}
      <span className={styles['muted']}>
        {creator ?? ''} {formatAge(created_at, now)}
      </span>
      <Button
        kind="plain"
        className={styles['history'] ?? ''}
        title="Earlier versions"
        aria-label="Earlier versions"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <History size={14} aria-hidden />
      </Button>
      {isOpen && <Revisions id={id} />}
    </li>
  );
}

function Revisions({ id }: { readonly id: string }) {
  const project = useProject();
  const history = useQuery({
    queryKey: ['feedback history', project.id, id],
    queryFn: ({ signal }) => hone.trace.readFeedbackHistory({ project_id: project.id, id }, { signal }),
  });
  if (history.error) return <ErrorNote error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Loading what="earlier versions" />;
  const { revisions } = history.data;
  if (revisions.length === 0) return <p className={styles['muted']}>It is as it was given.</p>;
  return (
    <ol className={styles['feedback']} aria-label="Earlier versions">
      {revisions.toReversed().map(({ revision, replaced_at, reason, record }) => (
        <li key={revision}>
          <Said {...toFeedback(record)} />{' '}
          <span className={styles['muted']}>
            until {formatTime(replaced_at).slice(0, 16)}
            {reason !== null && `: ${reason}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
