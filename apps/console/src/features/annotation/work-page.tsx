import type { QueueDto } from '@hone/client';
import { useState } from 'react';
import { Link } from 'wouter';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { Page } from '../../shared/page/page.js';
import { PendingPage } from '../../shared/page/pending-page.js';
import { useCall } from '../../shared/payload/use-call.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote } from '../../shared/ui/notes.js';
import styles from './annotation.module.css';
import { LoadingItem } from './early-keys.js';
import { Lease, ReleaseLease } from './lease.js';
import { LookOnly } from './look-only.js';
import { OwnProgress } from './progress.js';
import { useQueue } from './use-queue.js';
import { useRubric } from './use-rubric.js';
import { useWork } from './use-work.js';
import { WorkItem } from './work-item.js';

/** Where an annotator works through a queue, item by item. */
export default function WorkPage({ id }: { readonly id: string }) {
  const project = useProject();
  const { mayAnnotate } = useRights();
  const queue = useQueue(id);
  const rubric = useRubric(queue.data?.scorer_refs);
  const error = queue.error ?? rubric.error;
  const back = <Link to={project.path(`annotation/${id}`)}>Queue</Link>;
  if (error || !queue.data || !rubric.data) {
    const retry = () => void (queue.error ? queue : rubric).refetch();
    return <PendingPage title="Annotate" what="the queue" {...{ back, error, retry }} />;
  }
  if (!mayAnnotate) return <LookOnly title={queue.data.name} back={back} />;
  return <Work key={id} queue={queue.data} rubric={rubric.data} />;
}

function Work({ queue, rubric }: { readonly queue: QueueDto; readonly rubric: readonly Criterion[] }) {
  const project = useProject();
  const work = useWork(queue, rubric);
  const { claim, next, shown, back, forward, finish, done, upcoming } = work;
  const { item: claimed = null, lease } = claim.data ?? {};
  const item = shown?.item ?? claimed;
  const [early, setEarly] = useState<readonly string[]>([]);
  const noteKey = (key: string) => setEarly((before) => [...before, key]);
  const home = project.path(`annotation/${queue.id}`);
  const held = claimed && lease && (
    <Lease key={lease.id} {...{ queue, lease }} item={claimed} isShown={item?.id === claimed.id} claimAgain={next} />
  );
  const navigation = { back, forward };
  return (
    <Page
      title={queue.name}
      back={<Link to={home}>Queue</Link>}
      actions={
        <>
          <OwnProgress queueId={queue.id} />
          <span className={styles['muted']} role="status">
            {done.filter(({ isStored }) => isStored).length} done now
          </span>
        </>
      }
    >
      {upcoming && <Preloaded key={upcoming.id} callId={upcoming.call_id} />}
      {item ? (
        <WorkItem
          key={item.id}
          {...{ queue, rubric, item, shown, early, noteKey, finish, held, navigation }}
          begin={() => setEarly([])}
          judgement={work.judgementOf(item)}
          judge={(judgement) => work.judge(item, judgement)}
          release={shown === null && lease && <ReleaseLease {...{ queue, item, lease }} />}
        />
      ) : claim.error ? (
        <ErrorNote error={claim.error} retry={() => void claim.refetch()} />
      ) : claim.isPending ? (
        <LoadingItem note={noteKey} />
      ) : (
        <NothingLeft home={home} again={next} back={back} />
      )}
    </Page>
  );
}

/** Reads the call of the item that comes next, so that it is there when it is shown. */
function Preloaded({ callId }: { readonly callId: string }) {
  useCall(callId);
  return null;
}

interface NothingProps {
  readonly home: string;
  readonly again: () => void;
  /** null: nothing was judged since the page was opened. */
  readonly back: (() => void) | null;
}

const NothingLeft = ({ home, again, back }: NothingProps) => (
  <EmptyNote title="Nothing is left for you">
    <p>You have judged or skipped every item that is free. Others may hold the rest.</p>
    <p className={styles['row']}>
      <Button onClick={again}>Look again</Button>
      {back && <Button onClick={back}>Back to the last item</Button>}
      <Link to={home}>See how the queue stands</Link>
    </p>
  </EmptyNote>
);
