import type { PipelineDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { formatAge, formatCount } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Snippet } from '../../shared/ui/snippet.js';
import { saidOf, triggerOf } from './pipeline-words.js';
import { usePipelines } from './use-pipelines.js';

const COLUMNS = [
  { name: 'Pipeline', kind: 'wide' },
  { name: 'Last run' },
  { name: 'Runs', kind: 'number' },
  { name: 'When', kind: 'optional' },
] as const;

/** Loops that train, compare and promote by themselves. */
export default function PipelinesPage() {
  const found = usePipelines();
  return (
    <Page title="Pipelines">
      {found.error ? (
        <ErrorNote error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <Loading what="pipelines" />
      ) : found.data.length === 0 ? (
        <NoPipelines />
      ) : (
        <Table label="Pipelines" columns={COLUMNS}>
          {found.data.map((pipeline) => (
            <Pipeline key={pipeline.id} pipeline={pipeline} />
          ))}
        </Table>
      )}
    </Page>
  );
}

function Pipeline({ pipeline: { id, settings, paused, missing, runs, last_run } }: { readonly pipeline: PipelineDto }) {
  const project = useProject();
  const now = useNow();
  return (
    <tr>
      <td dir="auto">
        <Link to={project.path(`pipelines/${id}`)}>{settings.name}</Link> {paused && <Badge tone="muted">paused</Badge>}
        <p className={page['muted']}>
          Learns {triggerOf(settings)}, and moves “{settings.promote_to}”.
        </p>
        {missing.length > 0 && <p className={page['problem']}>No run starts: {missing.join(' ')}</p>}
      </td>
      <td>
        {last_run ? (
          <Badge tone={saidOf(last_run).tone}>{saidOf(last_run).text}</Badge>
        ) : (
          <span className={page['muted']}>none yet</span>
        )}
      </td>
      <td data-kind="number">{formatCount(runs)}</td>
      <td data-kind="optional" className={page['muted']}>
        {last_run && formatAge(last_run.started_at, now)}
      </td>
    </tr>
  );
}

function NoPipelines() {
  const project = useProject();
  return (
    <EmptyNote title="No pipelines yet">
      <p>
        A pipeline makes data of judged calls, trains, compares, and moves an alias only if a{' '}
        <Link to={project.path('gates')}>gate</Link> says that the new checkpoint is better. Make one from here:
      </p>
      <Snippet
        text={`curl ${location.origin}/evaluation/pipelines -H "Authorization: Bearer $HONE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"project_id": "${project.id}", "name": "every night", "model_id": "<model>", "every_hours": 24,
    "data": {"kind": "thumbs"}, "evaluate": {"dataset": "<dataset>", "scorers": ["<check>"]},
    "gate": {"metric": "scores.<check>.passed"}, "promote_to": "production"}'`}
      />
    </EmptyNote>
  );
}
