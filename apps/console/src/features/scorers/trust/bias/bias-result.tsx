import type { BiasFigureDto, BiasProbeDto, BiasReportDto } from '@hone/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../../../shared/data/hone.js';
import { useRights } from '../../../../shared/data/role.js';
import { formatCount, formatMetric } from '../../../../shared/format/format.js';
import page from '../../../../shared/page/page.module.css';
import { Badge } from '../../../../shared/ui/badge.js';
import { Button } from '../../../../shared/ui/button.js';
import { JobBadge } from '../../../../shared/ui/job-badge.js';
import { ErrorNote } from '../../../../shared/ui/notes.js';
import { Spent } from '../../../../shared/ui/spent.js';
import { Problems } from '../../problems.js';
import styles from '../../scorers.module.css';
import { ScoringProgress } from '../../scoring-progress.js';
import { figureText, type Finding, lengthFinding, orderText, probeFinding, selfFinding } from './bias-words.js';

const POLL_MS = 2_000;

/** What is known of a judge's bias by now. */
export function BiasResult({ report }: { readonly report: BiasReportDto }) {
  const { status, labels, vote_spread, order_swap, probes, cost_usd, level } = report;
  const own = selfFinding(report);
  return (
    <>
      <p className={page['row']}>
        <JobBadge status={status} />
        <span className={page['muted']}>
          by {formatCount(labels)} labels, {Math.round(100 * level)} % intervals, cost{' '}
          <Spent cost={cost_usd} most={null} />
        </span>
      </p>
      <ul className={styles['criteria']}>
        <Found finding={lengthFinding(report)} />
        {own && <Found finding={own} />}
        {vote_spread && (
          <li>
            Its votes about one call lie {formatMetric(vote_spread.estimate)} apart on average.{' '}
            <span className={page['muted']}>
              {formatMetric(vote_spread.low)} … {formatMetric(vote_spread.high)}, of {formatCount(vote_spread.calls)}{' '}
              calls
            </span>
          </li>
        )}
        {order_swap && <Order figure={order_swap} />}
        {probes.map((probe) => (
          <Probe key={probe.scoring_id} probe={probe} />
        ))}
      </ul>
    </>
  );
}

const Found = ({ finding: { text, isBias, figure } }: { readonly finding: Finding }) => (
  <li>
    {figure && <Badge tone={isBias ? 'warn' : 'good'}>{isBias ? 'bias' : 'no bias seen'}</Badge>} {text}{' '}
    {figure && <span className={page['muted']}>{figureText(figure)}</span>}
  </li>
);

function Order({ figure }: { readonly figure: BiasFigureDto }) {
  const { text, interval } = orderText(figure);
  return (
    <li>
      {text} <span className={page['muted']}>{interval}</span>
    </li>
  );
}

function Probe({ probe }: { readonly probe: BiasProbeDto }) {
  const { scoring_id, status, distance } = probe;
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const scoring = useQuery({
    queryKey: ['scoring', scoring_id],
    queryFn: ({ signal }) => hone.evaluation.getScoring({ scoring_id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.finished_at === null ? POLL_MS : false),
  });
  const cancelling = useMutation({
    mutationFn: () => hone.evaluation.cancelScoring({ scoring_id }),
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => /^(scoring|bias)/.test(String(name)) }),
  });
  return (
    <>
      <Found finding={probeFinding(probe)} />
      {(status !== 'done' || (distance !== null && distance.estimate > 0)) && (
        <li className={page['row']}>
          {status !== 'done' && <JobBadge status={status} />}
          {status !== 'done' && scoring.data && <ScoringProgress {...scoring.data} />}
          {distance && distance.estimate > 0 && (
            <span className={page['muted']}>
              One verdict with the other, whichever is higher: {formatMetric(distance.estimate)} apart on average.
            </span>
          )}
          {mayWrite && (status === 'queued' || status === 'running') && (
            <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
              Cancel
            </Button>
          )}
        </li>
      )}
      {scoring.data && scoring.data.problems.length > 0 && (
        <li>
          <Problems problems={scoring.data.problems} />
        </li>
      )}
      {(cancelling.error ?? scoring.error) && (
        <li>
          <ErrorNote error={cancelling.error ?? scoring.error} />
        </li>
      )}
    </>
  );
}
