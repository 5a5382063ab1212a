import type { ComparisonDto, WinRateDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import { formatCount, formatMetric } from '../../../shared/format/format.js';
import { AdvisoryBadge } from '../../../shared/labels/advisory.js';
import { Uncorrected } from '../../../shared/labels/uncorrected.js';
import page from '../../../shared/page/page.module.css';
import { Table, type TableColumn } from '../../../shared/page/table.js';
import { Badge } from '../../../shared/ui/badge.js';
import styles from './compare.module.css';
import { IntervalPlot } from './interval-plot.js';
import { isBounded, nameOfMetric } from './metric.js';
import type { KnownJudge } from './use-judges.js';
import { aboveHalf, changeOfRate, HALF, isDecided, rateInWords, winMetric } from './win-rate.js';

interface Props {
  readonly comparison: ComparisonDto;
  /** By metric. */
  readonly judges: ReadonlyMap<string, KnownJudge>;
  readonly labelOf: (id: string) => string;
}

const COLUMNS: readonly TableColumn[] = [
  { name: 'Judge', kind: 'wide' },
  { name: 'Run' },
  { name: 'Win rate' },
  { name: 'worse ← 0.5 → better' },
  { name: 'Won, tied, lost' },
  { name: 'Verdict' },
];

/** How often judges of two answers found a run's better than the baseline's; nothing where none compared them. */
export function WinRates({ comparison: { comparisons }, judges, labelOf }: Props) {
  const rates = comparisons.flatMap(({ candidate, win_rates }) => win_rates.map((rate) => ({ candidate, rate })));
  if (rates.length === 0) return null;
  return (
    <Table label="Win rates" columns={COLUMNS}>
      {rates.map(({ candidate, rate }) => (
        <Row
          key={`${rate.metric} ${candidate}`}
          {...{ rate, judge: judges.get(winMetric(rate)) }}
          run={labelOf(candidate)}
        />
      ))}
    </Table>
  );
}

interface RowProps {
  readonly rate: WinRateDto;
  /** Undefined: it is no judge of the project, as far as one knows. */
  readonly judge: KnownJudge | undefined;
  readonly run: string;
}

function Row({ rate, judge, run }: RowProps) {
  const project = useProject();
  const { metric, wins, ties, losses, win_rate } = rate;
  const { estimate, method, calls } = win_rate;
  const change = changeOfRate(win_rate);
  return (
    <tr>
      <td className={styles['name']}>
        {judge ? (
          <Link to={project.path(`scorers/${encodeURIComponent(judge.scorer.id)}?criterion=${judge.criterion}`)}>
            {judge.scorer.name}
          </Link>
        ) : (
          nameOfMetric(metric)
        )}
        <div className={styles['marks']}>
          <Uncorrected />
          {judge?.advisory && <AdvisoryBadge reason={judge.advisory} />}
        </div>
      </td>
      <td className={page['unbroken']}>{run}</td>
      <td>
        <b>{estimate === null ? '–' : formatMetric(estimate)}</b>
        {isBounded(win_rate) && (
          <div className={styles['interval']} title={`${method ?? ''}, ${calls} rows`}>
            {formatMetric(win_rate.low)} … {formatMetric(win_rate.high)}
          </div>
        )}
      </td>
      <td className={styles['line']}>
        <IntervalPlot
          label={rateInWords(win_rate)}
          difference={aboveHalf(win_rate)}
          {...{ higherIsBetter: true, margin: null, scale: HALF, change }}
        />
      </td>
      <td className={page['unbroken']}>
        {formatCount(wins)}, {formatCount(ties)}, {formatCount(losses)}
      </td>
      <td>
        {change === 'better' && <Badge tone="good">▲ better</Badge>}
        {change === 'worse' && <Badge tone="bad">▼ worse</Badge>}
        {change === 'same' && <Badge tone="muted">{isDecided(win_rate) ? 'unclear' : 'too few rows'}</Badge>}
      </td>
    </tr>
  );
}
