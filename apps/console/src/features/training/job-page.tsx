import type { JobRolloutsDto } from '@hone/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';

import { LineChart } from '../../shared/charts/line-chart.js';
import { hone } from '../../shared/data/hone.js';
import { modelTitle } from '../../shared/data/model-names.js';
import { projectOf, useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { datasetOf } from '../../shared/datasets/training-data.js';
import { formatTime } from '../../shared/format/format.js';
import { JOB_KINDS } from '../../shared/format/job-kind.js';
import { JsonView } from '../../shared/json-view/json-view.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Button } from '../../shared/ui/button.js';
import { JobStatus } from '../../shared/ui/job-status.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { type Curve, toCurves } from './curves.js';
import { PreferencesSection } from './preferences/preferences-section.js';
import { RolloutsSection } from './rollouts/rollouts-section.js';
import styles from './training.module.css';
import { jobKey, useJobEvents } from './use-job-events.js';

/** Those that people look at first; what the job learned from comes before the others. */
const MAIN_CURVES = 6;
const OPEN = ['queued', 'preparing', 'running'];

/** A training job: its state with the reason, its curves while it runs, and what it made. */
export default function JobPage({ id }: { readonly id: string }) {
  const project = useProject();
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const key = jobKey(id);
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => hone.training.getTrainingJob({ training_job_id: id }, { signal }),
  });
  const { events, error } = useJobEvents(id);
  const curves = useMemo(() => toCurves(events), [events]);
  const cancelling = useMutation({
    mutationFn: () => hone.training.cancelTrainingJob({ training_job_id: id }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  const back = <Link to={project.path('training')}>Training</Link>;
  if (query.error || !query.data)
    return (
      <PendingPage
        {...{ back, error: query.error }}
        title="Training job"
        what="the job"
        retry={() => void query.refetch()}
      />
    );
  const job = query.data;
  const { gradient_steps_done: done, gradient_steps_total: total, fraction } = job.progress;
  return (
    <Page
      back={back}
      title={capitalised(JOB_KINDS[job.kind])}
      actions={
        <>
          <JobStatus status={job.status} />
          <span className={page['muted']}>{formatTime(job.created_at)}</span>
          <Link to={project.path(`training/models/${job.model_id}`)}>its model</Link>
          {mayWrite && OPEN.includes(job.status) && (
            <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
              Cancel
            </Button>
          )}
        </>
      }
    >
      <div className={page['body']}>
        {job.error && (
          <p className={page['problem']}>
            {job.error.message} {job.error.hint} <code>{job.error.code}</code>
          </p>
        )}
        {job.queue_position !== null && <p>{job.queue_position} in the queue.</p>}
        <p>
          <progress
            className={styles['progress']}
            aria-label="Gradient steps"
            // The steps of a job that samples by itself are known round by round.
            value={job.rollouts ? (fraction ?? 0) : done}
            max={job.rollouts ? 1 : (total ?? 1)}
          />{' '}
          {done} of {total ?? '?'} steps
          {job.rollouts && <> · {roundsOf(job.rollouts)}</>}
          {job.produced_checkpoint && <> · made step {job.produced_checkpoint.step}</>}
        </p>
        {job.training_data_url && <DataLine url={job.training_data_url} />}
        {job.warnings.map(({ message, code }) => (
          <p key={code}>
            {message} <code>{code}</code>
          </p>
        ))}
        {error !== null && <ErrorNote error={error} />}
        <Curves curves={curves.slice(0, MAIN_CURVES)} />
        {job.kind === 'rl' && (
          <section className={page['section']} aria-label="Rollouts">
            <h2>Rewards</h2>
            <RolloutsSection jobId={id} />
          </section>
        )}
        {job.kind === 'preference' && <PreferencesSection job={job} />}
        {curves.length > MAIN_CURVES && (
          <details>
            <summary>{curves.length - MAIN_CURVES} more figures</summary>
            <Curves curves={curves.slice(MAIN_CURVES)} />
          </details>
        )}
        <section aria-label="Configuration">
          <h2>Configuration</h2>
          <JsonView value={job.config} label="Configuration" />
        </section>
      </div>
    </Page>
  );
}

/** How far a job is that samples by itself. */
const roundsOf = ({ rounds_done, rounds, answers, graded, last_reward_mean: reward }: JobRolloutsDto): string =>
  [
    `${rounds_done} of ${rounds ?? '?'} rounds`,
    `${graded} of ${answers} answers graded`,
    ...(reward === null ? [] : [`mean reward ${reward.toPrecision(3)}`]),
  ].join(' · ');

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the job reads; a dataset where the data was made of one. */
function DataLine({ url }: { readonly url: string }) {
  const { id: projectId } = useProject();
  const dataset = datasetOf(url);
  return (
    <p>
      Data:{' '}
      {dataset === null ? (
        <code title={url}>{modelTitle(url, projectId)}</code>
      ) : (
        <Link to={projectOf(dataset.projectId).path(`datasets/${encodeURIComponent(dataset.objectId)}`)}>
          {dataset.objectId} v{dataset.version}
        </Link>
      )}
    </p>
  );
}

const Curves = ({ curves }: { readonly curves: readonly Curve[] }) => (
  <div className={styles['curves']}>
    {curves.map((curve) => (
      <CurveChart key={curve.name} curve={curve} />
    ))}
  </div>
);

function CurveChart({ curve: { name, xs, ys, smooth } }: { readonly curve: Curve }) {
  const lines = useMemo(() => [{ label: 'value', ys, smooth }], [ys, smooth]);
  return <LineChart title={name} xs={xs} lines={lines} />;
}
