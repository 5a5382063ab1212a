import type { TrainingJobDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { parseRef, shortRef } from '../../shared/data/refs.js';
import { datasetOf } from '../../shared/datasets/training-data.js';
import { Dialog } from '../../shared/dialog/dialog.js';
import { formatTime } from '../../shared/format/format.js';
import { JOB_DATA } from '../../shared/format/job-kind.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { JobStatus } from '../../shared/ui/job-status.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';

const COLUMNS = [{ name: 'Evaluation', kind: 'wide' }, { name: 'Version of the dataset' }] as const;
const JOB_COLUMNS = [
  { name: 'Job', kind: 'wide' },
  { name: 'Version of the dataset' },
  { name: 'Made', kind: 'optional' },
] as const;
const JOBS_PAGE = 100;
/** Pages of jobs that are looked through. */
const MAX_PAGES = 10;

/** Which evaluations ask models the rows of the dataset, and which training jobs learn from them. */
export function Uses({ objectId }: { readonly objectId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Used by</Button>
      {isOpen && (
        <Dialog title="What uses the dataset" close={() => setIsOpen(false)}>
          <div className={page['section']}>
            <Evaluations objectId={objectId} />
            <Jobs objectId={objectId} />
          </div>
        </Dialog>
      )}
    </>
  );
}

function Evaluations({ objectId }: { readonly objectId: string }) {
  const project = useProject();
  const uses = useQuery({
    queryKey: ['dataset uses', project.id, objectId],
    queryFn: async ({ signal }) => {
      const found = [];
      const params = { entity: project.entity, project: project.name };
      for await (const one of hone.trace.listEvaluations(params, { signal })) {
        const dataset = parseRef(one.dataset);
        if (dataset?.name === objectId && dataset.projectId === project.id) found.push(one);
      }
      return found;
    },
  });
  if (uses.error) return <ErrorNote error={uses.error} retry={() => void uses.refetch()} />;
  if (!uses.data) return <Loading what="evaluations" />;
  if (uses.data.length === 0)
    return (
      <EmptyNote title="No evaluation uses it">
        <p>Evaluations that ask models its rows would be here.</p>
      </EmptyNote>
    );
  return (
    <Table label="Evaluations" columns={COLUMNS}>
      {uses.data.map(({ object_id, name, dataset, version_index }) => (
        <tr key={object_id}>
          <td>
            <Link to={project.path(`evaluations?evaluation=${encodeURIComponent(object_id)}`)}>{name}</Link>{' '}
            <span className={page['muted']}>v{version_index}</span>
          </td>
          <td>{shortRef(dataset)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Jobs of the project whose data was made of the dataset on the page that makes jobs. */
function Jobs({ objectId }: { readonly objectId: string }) {
  const project = useProject();
  const uses = useQuery({
    queryKey: ['jobs of a dataset', project.id, objectId],
    queryFn: async ({ signal }) => {
      const found: { job: TrainingJobDto; version: number }[] = [];
      let after = '';
      for (let at = 0; at < MAX_PAGES; at++) {
        const params = { entity: project.entity, project: project.name, limit: JOBS_PAGE, after };
        const { data, has_more, last_id } = await hone.training.listTrainingJobs(params, { signal });
        for (const job of data) {
          const dataset = datasetOf(job.training_data_url);
          if (dataset?.objectId === objectId && dataset.projectId === project.id)
            found.push({ job, version: dataset.version });
        }
        if (!has_more) break;
        after = last_id;
      }
      return found;
    },
  });
  if (uses.error) return <ErrorNote error={uses.error} retry={() => void uses.refetch()} />;
  if (!uses.data) return <Loading what="jobs" />;
  if (uses.data.length === 0)
    return (
      <EmptyNote title="No training job uses it">
        <p>Jobs that are made of a dataset on the page Training would be here, the newest 1,000 of the project.</p>
      </EmptyNote>
    );
  return (
    <Table label="Training jobs" columns={JOB_COLUMNS}>
      {uses.data.map(({ job, version }) => (
        <tr key={job.id}>
          <td>
            <Link to={project.path(`training/jobs/${job.id}`)}>{JOB_DATA[job.kind]}</Link>{' '}
            <JobStatus status={job.status} />
          </td>
          <td>
            {objectId}:v{version}
          </td>
          <td data-kind="optional">{formatTime(job.created_at).slice(0, 16)}</td>
        </tr>
      ))}
    </Table>
  );
}
