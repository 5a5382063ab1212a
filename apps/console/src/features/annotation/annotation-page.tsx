import type { QueueDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { NoMatch } from '../../shared/ui/no-match.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { AgreementBadge } from './agreement-badge.js';
import styles from './annotation.module.css';
import { Progress } from './progress.js';
import { QueueForm } from './queue-form.js';
import { useAgreement } from './use-agreement.js';
import { useQueueStatistics } from './use-queue.js';
import { useRubric } from './use-rubric.js';

const MAX_QUEUES = 200;
const COLUMNS = [
  { name: 'Queue', kind: 'wide' },
  { name: 'Completed' },
  { name: 'Agreement', kind: 'optional' },
  { name: 'Made', kind: 'optional' },
  { name: 'Work', isHidden: true },
] as const;

/** The queues of a project: how far they are, and how well their annotators agree. */
export default function AnnotationPage() {
  const project = useProject();
  const { mayWrite } = useRights();
  const [name, setName] = useSearchState('name');
  const [isNew, setIsNew] = useSearchState('new');
  const queues = useQuery({
    queryKey: ['queues', project.id, name],
    queryFn: async ({ signal }) => {
      const found: QueueDto[] = [];
      const body = { project_id: project.id, name, limit: MAX_QUEUES };
      for await (const queue of hone.trace.queryAnnotationQueues(body, { signal })) found.push(queue);
      return found;
    },
  });
  return (
    <Page
      title="Annotation"
      actions={
        <>
          <Input
            type="search"
            aria-label="Part of the name of a queue"
            placeholder="Name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          {mayWrite && (
            <Button kind="primary" onClick={() => setIsNew('1')}>
              New queue
            </Button>
          )}
        </>
      }
    >
      {queues.error ? (
        <ErrorNote error={queues.error} retry={() => void queues.refetch()} />
      ) : !queues.data ? (
        <Loading what="queues" />
      ) : queues.data.length === 0 ? (
        <NoQueues isFiltered={name !== ''} />
      ) : (
        <QueueTable queues={queues.data} />
      )}
      {mayWrite && isNew !== '' && <QueueForm close={() => setIsNew('')} />}
    </Page>
  );
}

function QueueTable({ queues }: { readonly queues: readonly QueueDto[] }) {
  const project = useProject();
  const now = useNow();
  const { mayAnnotate } = useRights();
  const statistics = useQueueStatistics(queues.map(({ id }) => id));
  return (
    <Table label="Annotation queues" columns={COLUMNS}>
      {queues.map((queue) => (
        <tr key={queue.id}>
          <td>
            <Link to={project.path(`annotation/${queue.id}`)}>{queue.name}</Link>
            <div className={styles['clamped']} dir="auto">
              {queue.description}
            </div>
          </td>
          <td>
            <Progress stats={statistics.data?.get(queue.id)} />
          </td>
          <td data-kind="optional">
            <Agreement queue={queue} />
          </td>
          <td data-kind="optional" className={styles['muted']}>
            {formatAge(queue.created_at, now)}
          </td>
          <td>{mayAnnotate && <Link to={project.path(`annotation/${queue.id}/work`)}>Annotate</Link>}</td>
        </tr>
      ))}
    </Table>
  );
}

function Agreement({ queue }: { readonly queue: QueueDto }) {
  const rubric = useRubric(queue.scorer_refs);
  const agreements = useAgreement(queue.id, rubric.data ?? []);
  if (rubric.data?.length === 0) return <span className={styles['muted']}>no criteria</span>;
  return (
    <ul className={styles['plain']}>
      {rubric.data?.map(({ ref, title }, index) => (
        <li key={ref}>
          <AgreementBadge alpha={agreements[index]?.data?.krippendorff_alpha ?? null} /> {title}
        </li>
      ))}
    </ul>
  );
}

function NoQueues({ isFiltered }: { readonly isFiltered: boolean }) {
  const project = useProject();
  if (isFiltered) return <NoMatch title="No queue has such a name" all={project.path('annotation')} />;
  return (
    <EmptyNote title="No queues yet">
      <p>
        A queue holds calls that people judge, one after the other. Make one here, then choose calls on the page{' '}
        <Link to={project.path('calls')}>Calls</Link> and add them. Or paste:
      </p>
      <Snippet
        text={`curl -u api:$HONE_API_KEY ${location.origin}/annotation_queues -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "name": "to check", "reviewers_per_item": 2}'`}
      />
    </EmptyNote>
  );
}
