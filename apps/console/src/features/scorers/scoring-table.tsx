import type { ScoringDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { useRights } from '../../shared/data/role.js';
import { formatAge, formatCount } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { JobBadge } from '../../shared/ui/job-badge.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { Spent } from '../../shared/ui/spent.js';
import { Problems } from './problems.js';
import { ScorerLink } from './scorer-link.js';
import { ScoringProgress } from './scoring-progress.js';
import { useScorings } from './use-jobs.js';

const COLUMNS = [
  { name: 'Scorer' },
  { name: 'Status' },
  { name: 'Judged', kind: 'wide' },
  { name: 'Cost' },
  { name: 'Made', kind: 'optional' },
  { name: 'Change', isHidden: true },
] as const;

/** The jobs that judge calls, newest first. @param scorerId of this scorer alone; absent: of all */
export function ScoringTable({ scorerId }: { readonly scorerId?: string }) {
  const scorings = useScorings();
  const shown = scorings.data?.filter(({ scorer }) => scorerId === undefined || parseRef(scorer)?.name === scorerId);
  return (
    <section className={page['section']} aria-label="Judged calls">
      <h2>Judged calls</h2>
      {scorings.error ? (
        <ErrorNote error={scorings.error} retry={() => void scorings.refetch()} />
      ) : !shown ? (
        <Loading what="scorings" />
      ) : shown.length === 0 ? (
        <p className={page['muted']}>No calls were judged yet. Open a scorer, and choose “Judge calls”.</p>
      ) : (
        <Table label="Scorings" columns={COLUMNS}>
          {shown.map((scoring) => (
            <Row key={scoring.id} scoring={scoring} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ scoring }: { readonly scoring: ScoringDto }) {
  const { id, scorer, status, counts, problems, error, cost_usd, max_cost_usd, created_at, finished_at } = scoring;
  const project = useProject();
  const { mayWrite } = useRights();
  const now = useNow();
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: (change: 'cancelScoring' | 'retryScoring') => hone.evaluation[change]({ scoring_id: id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['scorings', project.id] }),
  });
  return (
    <tr>
      <td>
        <ScorerLink scorer={scorer} />
      </td>
      <td>
        <JobBadge status={status} />
      </td>
      <td>
        <ScoringProgress {...scoring} />
        {error !== null && <p className={page['problem']}>{error}</p>}
        <Problems problems={problems} />
        {counts.judged_before > 0 && (
          <p className={page['muted']}>{formatCount(counts.judged_before)} had a verdict of this version before</p>
        )}
        {changing.error && <ErrorNote error={changing.error} />}
      </td>
      <td>
        <Spent cost={cost_usd} most={max_cost_usd} />
      </td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(created_at, now)}
      </td>
      <td>
        {mayWrite && finished_at === null && (
          <Button disabled={changing.isPending} onClick={() => changing.mutate('cancelScoring')}>
            Cancel
          </Button>
        )}
        {mayWrite && finished_at !== null && counts.failed > 0 && (
          <Button disabled={changing.isPending} onClick={() => changing.mutate('retryScoring')}>
            Retry {formatCount(counts.failed)}
          </Button>
        )}
      </td>
    </tr>
  );
}
