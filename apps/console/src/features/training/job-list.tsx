import type { TrainingJobDto } from '@hone/client';
import { Link, useLocation } from 'wouter';

import { CompareBar, CompareBox, useCompareChoice } from '../../shared/compare/compare-choice.js';
import { useProject } from '../../shared/data/project.js';
import { formatAge } from '../../shared/format/format.js';
import { JOB_KINDS } from '../../shared/format/job-kind.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { JobStatus } from '../../shared/ui/job-status.js';
import { COMPARED } from './compare/compared-curves.js';

const COLUMNS = [
  { name: 'Compare', isHidden: true },
  { name: 'Job' },
  { name: 'Model', kind: 'wide' },
  { name: 'Kind', kind: 'optional' },
  { name: 'Steps' },
  { name: 'Made', kind: 'optional' },
] as const;

interface Props {
  readonly jobs: readonly TrainingJobDto[];
  /** By the ids of the models; a model that is not listed is shown by its id. */
  readonly modelNames: ReadonlyMap<string, string>;
}

/** The jobs of a project; some of them can be chosen and compared. */
export function JobList({ jobs, modelNames }: Props) {
  const project = useProject();
  const now = useNow();
  const [, navigate] = useLocation();
  const choice = useCompareChoice(COMPARED);
  const compare = () => navigate(project.path(`training/compare?jobs=${choice.chosen.join()}`));
  const nameOf = ({ model_id }: TrainingJobDto) => modelNames.get(model_id) ?? model_id;
  return (
    <>
      {jobs.length >= COMPARED.min && (
        <CompareBar limits={COMPARED} chosen={choice.chosen} what="jobs" compare={compare} />
      )}
      <Table label="Table of jobs" columns={COLUMNS}>
        {jobs.map((job) => (
          <tr key={job.id}>
            <td>
              <CompareBox {...choice} id={job.id} label={`the job of ${nameOf(job)} made at ${job.created_at}`} />
            </td>
            <td>
              <Link to={project.path(`training/jobs/${job.id}`)} aria-label={`${job.status} job of ${nameOf(job)}`}>
                <JobStatus status={job.status} />
              </Link>
            </td>
            <td>{nameOf(job)}</td>
            <td data-kind="optional">{JOB_KINDS[job.kind]}</td>
            <td>
              {job.progress.gradient_steps_done} of {job.progress.gradient_steps_total ?? '?'}
            </td>
            <td data-kind="optional" className={page['muted']}>
              {formatAge(job.created_at, now)}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
