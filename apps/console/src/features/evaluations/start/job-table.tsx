import type { EvaluationJobDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { shortRef } from '../../../shared/data/refs.js';
import { useRights } from '../../../shared/data/role.js';
import { formatAge, formatCount } from '../../../shared/format/format.js';
import { useNow } from '../../../shared/format/use-now.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { Button } from '../../../shared/ui/button.js';
import { JobBadge } from '../../../shared/ui/job-badge.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { Spent } from '../../../shared/ui/spent.js';
import { canBeRetried, useEvaluationJobs } from './use-evaluation-jobs.js';

const COLUMNS = [
  { name: 'Evaluation' },
  { name: 'Status' },
  { name: 'Answers and scores', kind: 'wide' },
  { name: 'Cost' },
  { name: 'Made', kind: 'optional' },
  { name: 'Change', isHidden: true },
] as const;

/** Evaluations that run on the server, newest first; nothing where there are none. */
export function JobTable() {
  const jobs = useEvaluationJobs();
  if (jobs.error) return <ErrorNote error={jobs.error} retry={() => void jobs.refetch()} />;
  return jobs.data ? <Jobs jobs={jobs.data} /> : null;
}

/** How far the evaluations are; nothing where there are none. */
export function Jobs({ jobs }: { readonly jobs: readonly EvaluationJobDto[] }) {
  if (jobs.length === 0) return null;
  return (
    <Table label="Evaluations on the server" columns={COLUMNS}>
      {jobs.map((job) => (
        <Row key={job.id} job={job} />
      ))}
    </Table>
  );
}

function Row({ job }: { readonly job: EvaluationJobDto }) {
  const { id, evaluation, status, candidates, problems, error, cost_usd, max_cost_usd, created_at, finished_at } = job;
  const project = useProject();
  const { mayWrite } = useRights();
  const now = useNow();
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: (change: 'cancelEvaluationJob' | 'retryEvaluationJob') => hone.evaluation[change]({ job_id: id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['evaluation jobs', project.id] }),
  });
  const runs = candidates.map(({ evaluation_run_id }) => encodeURIComponent(evaluation_run_id)).join(',');
  return (
    <tr>
      <td>
        <Link to={project.path(`evaluations/compare?runs=${runs}`)}>{shortRef(evaluation)}</Link>
      </td>
      <td>
        <JobBadge status={status} />
      </td>
      <td>
        {candidates.map((candidate) => (
          <Candidate key={candidate.evaluation_run_id} {...candidate} />
        ))}
        {error !== null && <p className={page['problem']}>{error}</p>}
        {problems.map(({ state, code, count }) => (
          <p key={`${state} ${code}`} className={state === 'failed' ? page['problem'] : page['muted']}>
            {formatCount(count)} {state}: {code.replaceAll('_', ' ')}
          </p>
        ))}
        {changing.error && <ErrorNote error={changing.error} />}
      </td>
      <td>
        <Spent cost={cost_usd} most={max_cost_usd} />
      </td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(created_at, now)}
      </td>
      <td>
        {mayWrite && finished_at === null && (
          <Button disabled={changing.isPending} onClick={() => changing.mutate('cancelEvaluationJob')}>
            Cancel
          </Button>
        )}
        {mayWrite && canBeRetried(job) && (
          <Button disabled={changing.isPending} onClick={() => changing.mutate('retryEvaluationJob')}>
            Retry failed
          </Button>
        )}
      </td>
    </tr>
  );
}

type CandidateProps = EvaluationJobDto['candidates'][number];

function Candidate({ name, answers, scores }: CandidateProps) {
  const settled = (counts: CandidateProps['answers']) => counts.done + counts.skipped + counts.failed;
  const all = settled(answers) + answers.pending;
  return (
    <div>
      <b dir="auto">{name}</b> {formatCount(answers.done)} of {formatCount(all)} answers, {formatCount(scores.done)}{' '}
      scores
      {answers.pending + scores.pending > 0 && all > 0 && (
        <>
          {' '}
          <progress value={settled(answers)} max={all} aria-label={`Answers of ${name}`} />
        </>
      )}
    </div>
  );
}
