import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Table } from '../../shared/page/table.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { JobList } from './job-list.js';
import { NewModel } from './new-model.js';

const POLL_MS = 3_000;
const LIMIT = 100;

const MODEL_COLUMNS = [
  { name: 'Model', kind: 'wide' },
  { name: 'Base' },
  { name: 'Newest step', kind: 'number' },
  { name: 'Made', kind: 'optional' },
] as const;

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
  if (!models.data || !jobs.data) {
    const retry = () => void Promise.all([models.refetch(), jobs.refetch()]);
    return <PendingPage title="Training" what="models and jobs" {...{ error, retry }} />;
  }
  // Jobs stay when their models are deleted.
  if (models.data.data.length === 0 && jobs.data.data.length === 0) return <NoModels mayWrite={mayWrite} />;
  const names = new Map(models.data.data.map(({ id, name }) => [id, name]));
  return (
    <Page
      title="Training"
      actions={
        mayWrite && (
          <ButtonLink kind="primary" to={project.path('training/new')}>
            New job
          </ButtonLink>
        )
      }
    >
      <div className={page['body']}>
        <section aria-label="Models">
          <h2>Models</h2>
          {models.data.data.length === 0 && (
            <p className={page['muted']}>No model is left. Jobs of deleted models stay below.</p>
          )}
          <Table label="Table of models" columns={MODEL_COLUMNS}>
            {models.data.data.map(({ id, name, base_model, latest_step, created_at }) => (
              <tr key={id}>
                <td>
                  <Link to={project.path(`training/models/${id}`)}>{name}</Link>
                </td>
                <td>{base_model}</td>
                <td data-kind="number">{latest_step}</td>
                <td data-kind="optional" className={page['muted']}>
                  {formatAge(created_at, now)}
                </td>
              </tr>
            ))}
          </Table>
        </section>
        {mayWrite && <NewModel />}
        <section aria-label="Jobs">
          <h2>Jobs</h2>
          <JobList jobs={jobs.data.data} modelNames={names} />
        </section>
      </div>
    </Page>
  );
}

function NoModels({ mayWrite }: { readonly mayWrite: boolean }) {
  const { entity, name } = useProject();
  const body = JSON.stringify({ entity, project: name, name: 'helper', base_model: 'hone-tiny' });
  return (
    <Page title="Training">
      <EmptyNote title="Nothing is trained here yet">
        <p>Create a model on a base, and train it on examples, on rewards, or on the calls that people judged:</p>
        <Snippet
          text={`curl -H "Authorization: Bearer $HONE_API_KEY" -H 'Content-Type: application/json' ${location.origin}/v1/preview/models \\
  -d '${body}'`}
        />
        <p>
          The guide “Improve a model from its traffic” goes on from there, and <code>npm run tour</code> does it all.
        </p>
      </EmptyNote>
      {mayWrite && (
        <div className={page['body']}>
          <NewModel />
        </div>
      )}
    </Page>
  );
}
