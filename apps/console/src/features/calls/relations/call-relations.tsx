import type { CallDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { formatAge, formatDuration, shortOpName } from '../../../shared/format/format.js';
import { useNow } from '../../../shared/format/use-now.js';
import { Badge } from '../../../shared/ui/badge.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { ROW_COLUMNS, toCallRow } from '../call-row.js';
import { StatusMark } from '../status-mark.js';
import { peersQuery } from './call-links.js';
import styles from './relations.module.css';

const PEERS = 10;

/** The newest calls of the same op, and the training data that holds the call; read when one opens them. */
export const CallRelations = ({ call }: { readonly call: CallDto }) => (
  <>
    <Section title={`Other calls of ${shortOpName(call.op_name ?? '')}`}>
      <Peers call={call} />
    </Section>
    <Section title="Training data with this call">
      <Uses callId={call.id} />
    </Section>
  </>
);

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['section']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
}

function Peers({ call }: { readonly call: CallDto }) {
  const project = useProject();
  const now = useNow();
  const op = call.op_name ?? '';
  const peers = useQuery({
    queryKey: ['peers', project.id, op],
    queryFn: async ({ signal }) => {
      const query = { project_id: project.id, filter: { op_names: [op] }, columns: ROW_COLUMNS, limit: PEERS };
      const sort_by = [{ field: 'started_at', direction: 'desc' as const }];
      return (await hone.trace.queryCallPages({ ...query, sort_by }, { signal })).calls.map((peer) => toCallRow(peer));
    },
  });
  if (peers.error) return <ErrorNote error={peers.error} retry={() => void peers.refetch()} />;
  if (!peers.data) return <Loading what="other calls" />;
  return (
    <>
      <ul className={styles['list']}>
        {peers.data.map(({ id, status, displayName, opName, startedAt, latencyMs }) => (
          <li key={id}>
            <StatusMark status={status} />
            <Link
              to={project.path(`calls/${encodeURIComponent(id)}`)}
              aria-current={id === call.id ? 'true' : undefined}
              className={styles['name']}
            >
              {displayName ?? shortOpName(opName)}
            </Link>
            <span className={styles['muted']}>
              {id === call.id && 'this one · '}
              {formatAge(startedAt, now)} · {formatDuration(latencyMs)}
            </span>
          </li>
        ))}
      </ul>
      <Link to={project.path(`calls?${peersQuery(shortOpName(op))}`)}>All of them</Link>
    </>
  );
}

function Uses({ callId }: { readonly callId: string }) {
  const project = useProject();
  const uses = useQuery({
    queryKey: ['uses of a call', project.id, callId],
    queryFn: ({ signal }) => hone.trace.listCallUses({ call_id: callId, project_id: project.id }, { signal }),
  });
  if (uses.error) return <ErrorNote error={uses.error} retry={() => void uses.refetch()} />;
  if (!uses.data) return <Loading what="training data" />;
  if (uses.data.used_in.length === 0) return <p className={styles['muted']}>No model has learned from it.</p>;
  return (
    <ul className={styles['list']}>
      {uses.data.used_in.map(({ id, url, split, jobs }) => (
        <li key={id}>
          <span className={styles['name']}>{url.split('/').at(-1)}</span>
          <Badge tone="muted">{split}</Badge>
          {jobs.map((job) => (
            <Link key={job.id} to={project.path(`training/jobs/${job.id}`)}>
              {job.kind} job, {job.status}
              {job.step !== null && `, step ${job.step}`}
            </Link>
          ))}
        </li>
      ))}
      {uses.data.has_more && <li className={styles['muted']}>and more</li>}
    </ul>
  );
}
