import type { PipelineDto } from '@hone/client';
import { Link, useLocation } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatCount, formatTime } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { PipelineRuns } from './pipeline-runs.js';
import { triggerOf } from './pipeline-words.js';
import { isRunning, usePipeline, usePipelineActions } from './use-pipelines.js';

/** A loop that trains, compares and promotes by itself: how it is set, and all its runs. */
export default function PipelinePage({ id }: { readonly id: string }) {
  const project = useProject();
  const pipeline = usePipeline(id);
  const back = <Link to={project.path('pipelines')}>Pipelines</Link>;
  if (!pipeline.data)
    return (
      <PendingPage
        title="Pipeline"
        what="the pipeline"
        {...{ back, error: pipeline.error }}
        retry={() => void pipeline.refetch()}
      />
    );
  return (
    <Page title={pipeline.data.settings.name} back={back} actions={<Actions pipeline={pipeline.data} />}>
      <div className={page['body']}>
        {pipeline.error && <ErrorNote error={pipeline.error} retry={() => void pipeline.refetch()} />}
        <Summary pipeline={pipeline.data} />
        <PipelineRuns pipeline={pipeline.data} />
      </div>
    </Page>
  );
}

function Actions({ pipeline }: { readonly pipeline: PipelineDto }) {
  const { mayOwn } = useRights();
  const project = useProject();
  const [, navigate] = useLocation();
  const { starting, pausing, deleting } = usePipelineActions(pipeline);
  const failed = starting.error ?? pausing.error ?? deleting.error;
  const { paused, settings, last_run } = pipeline;
  const remove = () => {
    if (!confirm(`Delete the pipeline “${settings.name}” with its runs? What it trained and promoted stays.`)) return;
    deleting.mutate(undefined, { onSuccess: () => navigate(project.path('pipelines')) });
  };
  return (
    <>
      {paused && <Badge tone="muted">paused</Badge>}
      {mayOwn && (
        <>
          <Button disabled={starting.isPending || isRunning(last_run)} onClick={() => starting.mutate()}>
            Run now
          </Button>
          <Button disabled={pausing.isPending} onClick={() => pausing.mutate(!paused)}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button disabled={deleting.isPending} onClick={remove}>
            Delete
          </Button>
        </>
      )}
      {failed && <span role="alert">{failed.message}</span>}
    </>
  );
}

function Summary({ pipeline }: { readonly pipeline: PipelineDto }) {
  const project = useProject();
  const { settings, missing, gates, alpha_spent, next_run_at } = pipeline;
  const { evaluate, gate, data } = settings;
  return (
    <section className={page['card']} aria-label="What it does">
      <p dir="auto">
        Learns from calls (<code>{data.kind}</code>) {triggerOf(settings)};{' '}
        <Link to={project.path(`training/models/${settings.model_id}`)}>the model</Link> answers{' '}
        <Link to={project.path(`datasets/${encodeURIComponent(evaluate.dataset)}`)}>{evaluate.dataset}</Link>, and{' '}
        <code>{gate.metric}</code> decides whether “{settings.promote_to}” moves.
      </p>
      {missing.length > 0 && (
        <p className={page['problem']} role="status">
          No run starts, for it could do harm: {missing.join(' ')}
        </p>
      )}
      <p className={page['muted']}>
        {formatCount(gates)} gates have spent {alpha_spent.toFixed(4)} of {gate.alpha ?? 0.05}, the chance to promote
        what is no better.{next_run_at !== null && ` The next run is due ${formatTime(next_run_at)}.`}
      </p>
    </section>
  );
}
