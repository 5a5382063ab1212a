import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { JobStatus } from '../../shared/ui/job-status.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Wide } from '../../shared/ui/wide.js';
import { NewModel } from './new-model.js';
import styles from './training.module.css';

const POLL_MS = 3_000;
const LIMIT = 100;

/** The models of a project that can be trained, and their jobs. */
export default function TrainingPage() {
  const project = useProject();
  const now = useNow();
  const { mayWrite } = useRights();
  const of = { entity: project.entity, project: project.name, limit: LIMIT };
  const models = useQuery({
    queryKey: ['trainable models', project.id],
    queryFn: ({ signal }) => hone.training.listTrainableModels({ ...of, order: 'desc' }, { signal }),
    refetchInterval: POLL_MS,
  });
  const jobs = useQuery({
    queryKey: ['training jobs', project.id],
    queryFn: ({ signal }) => hone.training.listTrainingJobs(of, { signal }),
    refetchInterval: POLL_MS,
  });
  const error = models.error ?? jobs.error;
  if (error && !models.data) return <ErrorNote error={error} retry={() => void models.refetch()} />;
  if (!models.data || !jobs.data) return <Loading what="models and jobs" />;
  if (models.data.data.length === 0) return <NoModels mayWrite={mayWrite} />;
  const names = new Map(models.data.data.map(({ id, name }) => [id, name]));
  return (
    <div className={styles['page']}>
      <div className={styles['title']}>
        <h1>Training</h1>
        {mayWrite && <Link to={project.path('training/new')}>New job</Link>}
      </div>
      <section aria-label="Models">
        <h2>Models</h2>
        <Wide label="Table of models">
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Base</th>
                <th scope="col">Newest step</th>
                <th scope="col">Made</th>
              </tr>
            </thead>
            <tbody>
              {models.data.data.map(({ id, name, base_model, latest_step, created_at }) => (
                <tr key={id}>
                  <td>
                    <Link to={project.path(`training/models/${id}`)}>{name}</Link>
                  </td>
                  <td>{base_model}</td>
                  <td>{latest_step}</td>
                  <td className={styles['muted']}>{formatAge(created_at, now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </section>
      {mayWrite && <NewModel />}
      <section aria-label="Jobs">
        <h2>Jobs</h2>
        <Wide label="Table of jobs">
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Model</th>
                <th scope="col">Kind</th>
                <th scope="col">Steps</th>
                <th scope="col">Made</th>
              </tr>
            </thead>
            <tbody>
              {jobs.data.data.map(({ id, model_id, status, kind, progress, created_at }) => (
                <tr key={id}>
                  <td>
                    <Link
                      to={project.path(`training/jobs/${id}`)}
                      aria-label={`${status} job of ${names.get(model_id) ?? model_id}`}
                    >
                      <JobStatus status={status} />
                    </Link>
                  </td>
                  <td>{names.get(model_id) ?? model_id}</td>
                  <td>{kind === 'rl' ? 'reinforcement learning' : 'fine-tuning'}</td>
                  <td>
                    {progress.gradient_steps_done} of {progress.gradient_steps_total ?? '?'}
                  </td>
                  <td className={styles['muted']}>{formatAge(created_at, now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </section>
    </div>
  );
}

const NoModels = ({ mayWrite }: { readonly mayWrite: boolean }) => (
  <>
    <EmptyNote title="Nothing is trained here yet">
      <p>Create a model on a base, and train it on examples, on rewards, or on the calls that people judged:</p>
      <pre>{`curl -H "Authorization: Bearer $HONE_API_KEY" -H 'Content-Type: application/json' ${location.origin}/v1/preview/models \\
  -d '{"project": "default", "name": "helper", "base_model": "hone-tiny"}'`}</pre>
      <p>
        The guide “Improve a model from its traffic” goes on from there, and <code>npm run tour</code> does it all.
      </p>
    </EmptyNote>
    {mayWrite && (
      <div className={styles['page']}>
        <NewModel />
      </div>
    )}
  </>
);
