import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { JobStatus } from '../../shared/ui/job-status.js';
import styles from './home.module.css';

const POLL_MS = 3_000;
const SHOWN = 5;

/** The newest training jobs of the project; nothing where there is none, or the key may not see them. */
export function TrainingSummary() {
  const project = useProject();
  const now = useNow();
  const jobs = useQuery({
    queryKey: ['newest jobs', project.id],
    queryFn: ({ signal }) =>
      hone.training.listTrainingJobs({ entity: project.entity, project: project.name, limit: SHOWN }, { signal }),
    refetchInterval: POLL_MS,
  });
  if (!jobs.data || jobs.data.data.length === 0) return null;
  return (
    <section className={page['section']} aria-label="Training jobs">
      <h2>Training jobs</h2>
      <ul className={styles['list']}>
        {jobs.data.data.map(({ id, status, kind, created_at, progress, produced_checkpoint }) => (
          <li key={id}>
            <Link to={project.path(`training/jobs/${id}`)}>
              <JobStatus status={status} />
            </Link>
            <span>{kind === 'rl' ? 'reinforcement learning' : 'fine-tuning'}</span>
            <span>
              {progress.gradient_steps_done} of {progress.gradient_steps_total ?? '?'} steps
            </span>
            {produced_checkpoint && <span>made step {produced_checkpoint.step}</span>}
            <span className={page['muted']}>{formatAge(created_at, now)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
