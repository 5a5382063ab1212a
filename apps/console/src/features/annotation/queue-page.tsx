import type { QueueDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import type { Criterion } from '../../shared/annotation/rubric.js';
import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { formatDuration, formatTime } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Button } from '../../shared/ui/button.js';
import { CriterionReview } from './criterion-review.js';
import { Progress } from './progress.js';
import { QueueForm } from './queue-form.js';
import { QueueItems } from './queue-items.js';
import { useQueue, useQueueStatistics } from './use-queue.js';
import { useRubric } from './use-rubric.js';

/** One queue as its reviewers see it: how far it is, where annotators disagree, and what is in it. */
export default function QueuePage({ id }: { readonly id: string }) {
  const queue = useQueue(id);
  const rubric = useRubric(queue.data?.scorer_refs);
  const error = queue.error ?? rubric.error;
  if (error || !queue.data || !rubric.data) {
    const retry = () => void (queue.error ? queue : rubric).refetch();
    return <PendingPage title="Queue" back={<Back />} what="the queue" {...{ error, retry }} />;
  }
  return <Queue queue={queue.data} rubric={rubric.data} />;
}

const Back = () => <Link to={useProject().path('annotation')}>Annotation</Link>;

function Queue({ queue, rubric }: { readonly queue: QueueDto; readonly rubric: readonly Criterion[] }) {
  const project = useProject();
  const { mayAnnotate } = useRights();
  const [, navigate] = useLocation();
  const nameOf = useUsernames();
  const statistics = useQueueStatistics([queue.id]);
  return (
    <Page
      title={queue.name}
      back={<Back />}
      actions={
        <>
          <Progress stats={statistics.data?.get(queue.id)} />
          {mayAnnotate && (
            <>
              <Button kind="primary" onClick={() => navigate(project.path(`annotation/${queue.id}/work`))}>
                Annotate
              </Button>
              <Button onClick={() => navigate(project.path(`annotation/${queue.id}/pairs`))}>Compare answers</Button>
            </>
          )}
          <Manage queue={queue} />
        </>
      }
    >
      <div className={page['body']}>
        {queue.description !== '' && (
          <p className={page['text']} dir="auto">
            {queue.description}
          </p>
        )}
        <dl className={page['facts']}>
          <dt>Annotators for each item</dt>
          <dd>{queue.reviewers_per_item === null ? 'any number' : `at most ${queue.reviewers_per_item}`}</dd>
          <dt>Reserved for</dt>
          <dd>{formatDuration(queue.lease_seconds * 1_000)}</dd>
          <dt>Who may judge</dt>
          <dd>{queue.assigned_only ? 'assignees of an item' : 'every annotator'}</dd>
          <dt>Made</dt>
          <dd>
            {formatTime(queue.created_at)} by {nameOf(queue.created_by)}
          </dd>
        </dl>
        {rubric.map((criterion) => (
          <CriterionReview key={criterion.ref} queueId={queue.id} criterion={criterion} />
        ))}
        <QueueItems queueId={queue.id} />
      </div>
    </Page>
  );
}

/** What only writers may do with a queue. */
function Manage({ queue }: { readonly queue: QueueDto }) {
  const project = useProject();
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const deleting = useMutation({
    mutationFn: () => hone.trace.deleteAnnotationQueue({ queue_id: queue.id, project_id: project.id }),
    onSuccess: async () => {
      navigate(project.path('annotation'));
      await queries.invalidateQueries({ queryKey: ['queues', project.id] });
    },
  });
  if (!mayWrite) return null;
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('edit')}>Change</Button>
      <Button onClick={() => setOpen('delete')}>Delete</Button>
      {open === 'edit' && <QueueForm queue={queue} close={close} />}
      {open === 'delete' && (
        <FormDialog
          title={`Delete ${queue.name}?`}
          action="Delete the queue"
          {...{ isPending: deleting.isPending, error: deleting.error, close }}
          submit={() => deleting.mutate()}
        >
          <p>Its items leave with it. The calls stay, and so does all that annotators have said of them.</p>
        </FormDialog>
      )}
    </>
  );
}
