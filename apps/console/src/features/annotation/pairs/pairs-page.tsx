import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { useShortcuts } from '../../../shared/keyboard/shortcuts.js';
import { usePageKeys } from '../../../shared/keyboard/use-page-keys.js';
import { Page } from '../../../shared/page/page.js';
import { PendingPage } from '../../../shared/page/pending-page.js';
import { Button } from '../../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { LookOnly } from '../look-only.js';
import { useQueue } from '../use-queue.js';
import { AnswerCard } from './answer-card.js';
import styles from './pairs.module.css';
import { usePairs } from './use-pairs.js';

const KEYS = {
  title: 'Choosing between two answers',
  shortcuts: [
    ['1', 'the left answer is better'],
    ['2', 'the right answer is better'],
    ['S', 'skip: neither is better'],
  ],
} as const;

/** Where an annotator says which of two answers to the same is better. */
export default function PairsPage({ id }: { readonly id: string }) {
  const project = useProject();
  const { mayAnnotate } = useRights();
  const queue = useQueue(id);
  const back = <Link to={project.path(`annotation/${id}`)}>Queue</Link>;
  if (queue.error || !queue.data)
    return (
      <PendingPage
        title="Compare answers"
        what="the queue"
        {...{ back, error: queue.error, retry: () => void queue.refetch() }}
      />
    );
  if (!mayAnnotate) return <LookOnly title={queue.data.name} back={back} />;
  return <Pairs key={id} queueId={id} name={queue.data.name} />;
}

function Pairs({ queueId, name }: { readonly queueId: string; readonly name: string }) {
  const project = useProject();
  const { read, choosing, chosen, shown, left, choose, skip, again } = usePairs(queueId);
  const home = project.path(`annotation/${queueId}`);
  return (
    <Page
      title={name}
      back={<Link to={home}>Queue</Link>}
      actions={
        <span className={styles['muted']} role="status">
          {chosen} chosen now{read.data ? `, ${left} left` : ''}
        </span>
      }
    >
      {read.error ? (
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      ) : read.isPending ? (
        <Loading what="the answers" />
      ) : shown ? (
        <>
          <Pair key={shown.join(' ')} ids={shown} {...{ choose, skip }} isStoring={choosing.isPending} />
          {choosing.error && <ErrorNote error={choosing.error} />}
        </>
      ) : (
        <EmptyNote title="No pair is left">
          <p>
            A pair is two calls of the queue that were asked the same and answered something else. Add such calls, for
            example those of two models, on the page <Link to={project.path('calls')}>Calls</Link>.
          </p>
          <p className={styles['row']}>
            <Button onClick={again}>Look again</Button>
            <Link to={home}>Back to the queue</Link>
          </p>
        </EmptyNote>
      )}
    </Page>
  );
}

interface PairProps {
  readonly ids: readonly [left: string, right: string];
  readonly choose: (better: string, worse: string) => void;
  readonly skip: () => void;
  readonly isStoring: boolean;
}

function Pair({ ids: [left, right], choose, skip, isStoring }: PairProps) {
  const take = { left: () => choose(left, right), right: () => choose(right, left) };
  useShortcuts(KEYS);
  usePageKeys({ '1': take.left, '2': take.right, s: skip });
  return (
    <div className={styles['pairs']}>
      <AnswerCard
        key={left}
        callId={left}
        title="Left"
        hotkey="1"
        choose={take.left}
        isStoring={isStoring}
        withPrompt
      />
      <AnswerCard key={right} callId={right} title="Right" hotkey="2" choose={take.right} isStoring={isStoring} />
      <p className={styles['skip']}>
        <Button disabled={isStoring} onClick={skip}>
          Neither is better <kbd>S</kbd>
        </Button>
      </p>
    </div>
  );
}
