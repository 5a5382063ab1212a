import type { MonitorDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { useRights } from '../../shared/data/role.js';
import { formatCount, formatShare } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { RefusedNote } from '../../shared/page/refused-note.js';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { JobBadge } from '../../shared/ui/job-badge.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Spent } from '../../shared/ui/spent.js';
import { conditionText } from './condition.js';
import { Problems } from './problems.js';
import { ScorerLink } from './scorer-link.js';
import { useMonitors } from './use-jobs.js';

const COLUMNS = [
  { name: 'Monitor', kind: 'wide' },
  { name: 'Scorer' },
  { name: 'Status' },
  { name: 'Today' },
  { name: 'Cost today' },
  { name: 'Change', isHidden: true },
] as const;

/** What judges new calls as they come. @param scorerId of this scorer alone; absent: of all */
export function MonitorTable({ scorerId }: { readonly scorerId?: string }) {
  const monitors = useMonitors();
  const shown = monitors.data?.filter(({ scorer }) => scorerId === undefined || parseRef(scorer)?.name === scorerId);
  return (
    <section className={page['section']} aria-label="Monitors">
      <h2>New calls, as they come</h2>
      {monitors.error ? (
        <ErrorNote error={monitors.error} retry={() => void monitors.refetch()} />
      ) : !shown ? (
        <Loading what="monitors" />
      ) : shown.length === 0 ? (
        <p className={page['muted']}>Nothing judges new calls. Open a scorer, and choose “Judge new calls”.</p>
      ) : (
        <Table label="Monitors" columns={COLUMNS}>
          {shown.map((monitor) => (
            <Row key={monitor.id} monitor={monitor} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ monitor }: { readonly monitor: MonitorDto }) {
  const { id, name, scorer, filter, query, sample_rate, max_cost_usd_per_day, status, error, today } = monitor;
  const project = useProject();
  const { mayOwn } = useRights();
  const queries = useQueryClient();
  const changed = { onSettled: () => queries.invalidateQueries({ queryKey: ['monitors', project.id] }) };
  const pausing = useMutation({
    mutationFn: (paused: boolean) => hone.evaluation.updateMonitor({ monitor_id: id }, { paused }),
    ...changed,
  });
  const deleting = useMutation({ mutationFn: () => hone.evaluation.deleteMonitor({ monitor_id: id }), ...changed });
  const failed = pausing.error ?? deleting.error;
  return (
    <tr>
      <td>
        <b dir="auto">{name}</b>
        <div className={page['muted']}>
          {formatShare(sample_rate)} of {conditionText(filter, query)}
        </div>
        {error !== null && <p className={page['problem']}>{error}</p>}
        {failed && <RefusedNote error={failed} what="Changing a monitor" needed="owner" />}
      </td>
      <td>
        <ScorerLink scorer={scorer} />
      </td>
      <td>
        <JobBadge status={status} />
      </td>
      <td>
        {today ? `${formatCount(today.counts.done)} judged` : <span className={page['muted']}>nothing yet</span>}
        {today !== null && today.counts.pending > 0 && `, ${formatCount(today.counts.pending)} waiting`}
        {today && <Problems problems={today.problems} />}
      </td>
      <td>
        <Spent cost={today?.cost_usd ?? 0} most={max_cost_usd_per_day} />
      </td>
      <td>
        {mayOwn && (
          <span className={page['row']}>
            <Button disabled={pausing.isPending} onClick={() => pausing.mutate(status !== 'paused')}>
              {status === 'paused' ? 'Resume' : 'Pause'}
            </Button>
            <Button
              disabled={deleting.isPending}
              onClick={() => {
                if (confirm(`Delete the monitor “${name}”? What it judged stays.`)) deleting.mutate();
              }}
            >
              Delete
            </Button>
          </span>
        )}
      </td>
    </tr>
  );
}
