import type { PipelineDto, PipelineRunDto, PipelineRunStepDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatCost, formatTime } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { saidOf, startedBy } from './pipeline-words.js';
import { isRunning, usePipelineActions, usePipelineRuns } from './use-pipelines.js';

const COLUMNS = [
  { name: 'Run', kind: 'number' },
  { name: 'How it ended' },
  { name: 'What it made', kind: 'wide' },
  { name: 'Cost', kind: 'optional number' },
  { name: 'Began', kind: 'optional' },
] as const;

/** Runs of a pipeline with what each of their steps made. */
export function PipelineRuns({ pipeline }: { readonly pipeline: PipelineDto }) {
  const found = usePipelineRuns(pipeline.id);
  const runs = found.data?.pages.flatMap((one) => one.runs);
  return (
    <section className={page['section']} aria-label="Runs">
      <h2>Runs</h2>
      {found.error ? (
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      ) : !runs ? (
        <Loading what="runs" />
      ) : runs.length === 0 ? (
        <p className={page['muted']}>None yet. “Run now” does not wait for what starts it by itself.</p>
      ) : (
        <Table label="Runs of the pipeline" columns={COLUMNS}>
          {runs.map((run) => (
            <Run key={run.id} {...{ pipeline, run }} />
          ))}
        </Table>
      )}
      {found.hasNextPage && (
        <p className={page['more']}>
          <Button disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show older runs
          </Button>
        </p>
      )}
    </section>
  );
}

function Run({ pipeline, run }: { readonly pipeline: PipelineDto; readonly run: PipelineRunDto }) {
  const { mayOwn } = useRights();
  const { cancelling } = usePipelineActions(pipeline);
  const { text, tone } = saidOf(run);
  return (
    <tr>
      <td data-kind="number">{run.number}</td>
      <td>
        <Badge tone={tone}>{text}</Badge>
        {mayOwn && isRunning(run) && (
          <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate(run.id)}>
            Cancel
          </Button>
        )}
      </td>
      <td>
        {run.reason !== null && <p dir="auto">{run.reason}</p>}
        <Steps {...{ run }} />
        {cancelling.error && <p role="alert">{cancelling.error.message}</p>}
      </td>
      <td data-kind="optional number">{formatCost(run.cost_usd)}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatTime(run.started_at)}, {startedBy(run)}
      </td>
    </tr>
  );
}

/** One after the other, each a link to what it made. */
const Steps = ({ run }: { readonly run: PipelineRunDto }) => (
  <p className={page['muted']}>
    {run.steps.map((step, at) => (
      <span key={step.step}>
        {at > 0 && ' → '}
        <Step step={step} />
        {step.ended_at === null && isRunning(run) && ' …'}
      </span>
    ))}
  </p>
);

function Step({ step }: { readonly step: PipelineRunStepDto }) {
  const project = useProject();
  const path = pathOf(step);
  return path === null ? <>{step.step}</> : <Link to={project.path(path)}>{step.step}</Link>;
}

/** Where what a step made is shown. Null: nowhere, or there is nothing yet. */
function pathOf({ step, training_job_id, run_ids, gate_id }: PipelineRunStepDto): string | null {
  if (step === 'training' && training_job_id !== null) return `training/jobs/${training_job_id}`;
  if (step === 'evaluation' && run_ids.length > 1) return `evaluations/compare?runs=${run_ids.join(',')}`;
  return step === 'gate' && gate_id !== null ? `gates/${gate_id}` : null;
}
