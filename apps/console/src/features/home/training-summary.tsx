import type { TrainingJobDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatAge } from '../../shared/format/format.js';
import { JOB_KINDS } from '../../shared/format/job-kind.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { JobStatus } from '../../shared/ui/job-status.js';
import styles from './home.module.css';
import { newestCheckpoints, newestJobs } from './training.js';

const POLL_MS = 3_000;
/** Jobs that are looked through, and models whose names are known. */
const READ = 100;

/** Jobs of the time and those that run, and the checkpoints that they made. Nothing where the key may not see them. */
export function TrainingSummary({ start }: { readonly start: string }) {
  const project = useProject();
  const now = useNow();
  const of = { entity: project.entity, project: project.name, limit: READ };
  const training = useQuery({
    queryKey: ['newest training', project.id],
    queryFn: async ({ signal }) => {
      const [jobs, models] = await Promise.all([
        hone.training.listTrainingJobs(of, { signal }),
        hone.training.listTrainableModels({ ...of, order: 'desc' }, { signal }),
      ]);
      return { jobs: jobs.data, names: new Map(models.data.map(({ id, name }) => [id, name])) };
    },
    refetchInterval: POLL_MS,
  });
  if (!training.data) return null;
  const { jobs, names } = training.data;
  const nameOf = ({ model_id }: TrainingJobDto) => names.get(model_id) ?? 'a deleted model';
  return (
    <>
      <Listed title="Training jobs" jobs={newestJobs(jobs, start)}>
        {(job) => (
          <>
            <Link to={project.path(`training/jobs/${job.id}`)}>
              <JobStatus status={job.status} />
            </Link>
            <span>{nameOf(job)}</span>
            <span>{JOB_KINDS[job.kind]}</span>
            <span>
              {job.progress.gradient_steps_done} of {job.progress.gradient_steps_total ?? '?'} steps
            </span>
            <span className={page['muted']}>{formatAge(job.created_at, now)}</span>
          </>
        )}
      </Listed>
      <Listed title="Newest checkpoints" jobs={newestCheckpoints(jobs, start)}>
        {(job) => (
          <>
            <Link to={project.path(`training/models/${job.model_id}`)}>
              {nameOf(job)} step {job.produced_checkpoint?.step}
            </Link>
            <Link to={project.path(`training/jobs/${job.id}`)}>its job</Link>
            <span className={page['muted']}>{formatAge(job.finished_at ?? job.created_at, now)}</span>
          </>
        )}
      </Listed>
    </>
  );
}

interface ListedProps {
  readonly title: string;
  readonly jobs: readonly TrainingJobDto[];
  readonly children: (job: TrainingJobDto) => ReactNode;
}

const Listed = ({ title, jobs, children }: ListedProps) =>
  jobs.length > 0 && (
    <section className={page['section']} aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles['list']}>
        {jobs.map((job) => (
          <li key={job.id}>{children(job)}</li>
        ))}
      </ul>
    </section>
  );
