import type { ComparedFigureDto, MetricComparisonDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { formatCount } from '../../../shared/format/format.js';
import { AdvisoryBadge } from '../../../shared/labels/advisory.js';
import { Uncorrected } from '../../../shared/labels/uncorrected.js';
import page from '../../../shared/page/page.module.css';
import { Badge } from '../../../shared/ui/badge.js';
import { Button } from '../../../shared/ui/button.js';
import { useDirection } from '../use-direction.js';
import styles from './compare.module.css';
import { IntervalPlot } from './interval-plot.js';
import { formatP, formatSigned, formatValue, isBounded, nameOfMetric } from './metric.js';
import type { KnownJudge } from './use-judges.js';

interface Props {
  readonly metric: MetricComparisonDto;
  /** Whose figure it is; undefined: no judge's of the project, as far as one knows. */
  readonly judge: KnownJudge | undefined;
  /** Whether it is the metric's first row. */
  readonly isFirst: boolean;
  /** The candidate; null: there is but one. */
  readonly run: string | null;
  readonly scale: number;
  /** Has people label what a judge found. */
  readonly label: (judge: KnownJudge) => void;
}

/** One metric of one candidate beside the baseline. */
export function MetricRow({ metric, judge, isFirst, run, scale, label }: Props) {
  const { metric: id, unit, baseline, candidate, difference, wins, ties, losses, p_adjusted, p_value, test } = metric;
  const { direction } = useDirection();
  const name = nameOfMetric(id);
  const change = changeOfVerdict(metric, direction(name) === 'neither' && metric.source !== 'measure');
  return (
    <tr>
      <td className={styles['name']}>
        {name} <WayRound metric={metric} isShown={isFirst} />
        <Marks {...{ metric, judge, isFirst, label }} />
      </td>
      <td>
        <Mean figure={baseline} unit={unit} />
      </td>
      {run !== null && <td className={page['unbroken']}>{run}</td>}
      <td>
        <Mean figure={candidate} unit={unit} />
      </td>
      <td>
        <span className={styles['difference']} data-change={change}>
          Δ {difference.estimate === null ? '–' : formatSigned(difference.estimate, unit)}
        </span>
        <Ends figure={difference} unit={unit} />
      </td>
      <td className={styles['line']}>
        <IntervalPlot
          label={inWords(metric)}
          {...{ difference, scale, change }}
          higherIsBetter={metric.higher_is_better}
          margin={metric.non_inferiority?.margin ?? null}
        />
      </td>
      <td className={page['unbroken']}>
        {formatCount(wins)}, {formatCount(ties)}, {formatCount(losses)}
      </td>
      <td data-kind="number" title={p_value === null ? '' : `${test ?? ''}; ${formatP(p_value)} unadjusted`}>
        {p_adjusted === null ? '–' : formatP(p_adjusted)}
      </td>
      <td>
        <Verdict {...{ metric, change }} />
      </td>
    </tr>
  );
}

/** @param isNeutral neither more nor less of it is better */
function changeOfVerdict({ verdict }: MetricComparisonDto, isNeutral: boolean): 'better' | 'worse' | 'same' {
  return !isNeutral && (verdict === 'better' || verdict === 'worse') ? verdict : 'same';
}

/** Which way is better, to be turned round; of what Hone measured less always is. */
function WayRound({ metric: { metric, source, higher_is_better }, isShown }: WayProps) {
  const { direction, turn } = useDirection();
  if (!isShown) return null;
  if (source === 'measure')
    return <span className={page['muted']}>{higher_is_better ? 'more' : 'less'} is better</span>;
  const name = nameOfMetric(metric);
  return (
    <Button
      className={styles['turn'] ?? ''}
      title="Which way is better. Click to turn it round."
      onClick={() => turn(name)}
    >
      {direction(name)} is better
    </Button>
  );
}

interface WayProps {
  readonly metric: MetricComparisonDto;
  readonly isShown: boolean;
}

/** Whose opinion it is, and whether people stand behind it. */
function Marks({
  metric: { difference },
  judge,
  isFirst,
  label,
}: Pick<Props, 'metric' | 'judge' | 'isFirst' | 'label'>) {
  const { mayWrite } = useRights();
  const project = useProject();
  const { judge_only, labels } = difference;
  if (!judge_only && labels === 0) return null;
  return (
    <div className={styles['marks']}>
      {judge_only ? <Uncorrected /> : <Badge tone="good">corrected by {formatCount(labels)} labels</Badge>}
      {judge?.advisory && <AdvisoryBadge reason={judge.advisory} />}
      {judge && (
        <Link to={project.path(`scorers/${encodeURIComponent(judge.scorer.id)}?criterion=${judge.criterion}`)}>
          {judge.scorer.name}
        </Link>
      )}
      {judge && isFirst && mayWrite && (
        <Button className={styles['turn'] ?? ''} onClick={() => label(judge)}>
          Have people label it
        </Button>
      )}
    </div>
  );
}

interface FigureProps {
  readonly figure: ComparedFigureDto;
  readonly unit: MetricComparisonDto['unit'];
}

const Mean = ({ figure, unit }: FigureProps) => (
  <>
    <b>{figure.estimate === null ? '–' : formatValue(figure.estimate, unit)}</b>
    <Ends {...{ figure, unit }} />
  </>
);

const Ends = ({ figure, unit }: FigureProps) =>
  isBounded(figure) && (
    <div className={styles['interval']} title={`${figure.method ?? ''}, ${figure.calls} rows`}>
      {formatValue(figure.low, unit)} … {formatValue(figure.high, unit)}
    </div>
  );

/** What the line of an interval shows, for those who do not see it. */
function inWords({ difference, higher_is_better, unit }: MetricComparisonDto): string {
  const { estimate } = difference;
  if (estimate === null) return 'No row has both';
  if (!isBounded(difference)) return `Difference ${formatSigned(estimate, unit)}, too few rows for an interval`;
  const holds = difference.low <= 0 && difference.high >= 0 ? 'holds 0' : 'leaves out 0';
  const ends = `${formatSigned(difference.low, unit)} to ${formatSigned(difference.high, unit)}`;
  return `Difference ${formatSigned(estimate, unit)}, interval ${ends}, which ${holds}; ${higher_is_better ? 'more' : 'less'} is better`;
}

interface VerdictProps {
  readonly metric: MetricComparisonDto;
  readonly change: 'better' | 'worse' | 'same';
}

function Verdict({ metric: { verdict, non_inferiority: margin, unit, left_out }, change }: VerdictProps) {
  const skipped = left_out.failed + left_out.no_number;
  return (
    <>
      {change === 'better' && <Badge tone="good">▲ better</Badge>}
      {change === 'worse' && <Badge tone="bad">▼ worse</Badge>}
      {change === 'same' && (
        <Badge tone="muted">
          {verdict === 'better' || verdict === 'worse' ? 'differs' : verdict.replaceAll('_', ' ')}
        </Badge>
      )}
      {margin && (
        <div title={`One-sided bound ${formatSigned(margin.bound, unit)}, p ${formatP(margin.p_value)}`}>
          <Badge tone={margin.is_non_inferior ? 'good' : 'warn'}>
            {margin.is_non_inferior ? 'loses less than' : 'may lose more than'} {formatValue(margin.margin, unit)}
          </Badge>
        </div>
      )}
      {skipped > 0 && <div className={page['muted']}>{formatCount(skipped)} rows left out</div>}
    </>
  );
}
