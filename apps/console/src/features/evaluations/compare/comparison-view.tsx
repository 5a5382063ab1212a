import type { ComparisonDto, RunComparisonDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import { formatCount } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { formatMissing } from '../interval-view.js';
import type { ComparedRun, ResultRow } from '../results.js';
import { Decide } from './gate/decide.js';
import { MetricTable } from './metric-table.js';
import { Regressions } from './regressions.js';
import { SettingsForm } from './settings-form.js';
import type { CompareSettings } from './use-comparison.js';
import { useJudges } from './use-judges.js';
import { WinRates } from './win-rates.js';

interface Props {
  /** The baseline first. */
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
  readonly comparison: ComparisonDto;
  readonly settings: CompareSettings;
}

/** What is better and what is worse than the baseline, by paired statistics. */
export function ComparisonView({ runs, rows, comparison, settings }: Props) {
  const judges = useJudges(comparison, settings);
  const { level } = comparison;
  const ignored = ignoredOf(comparison);
  const percent = Math.round(100 * level);
  const labelOf = (id: string) => runs.find((run) => run.id === id)?.label ?? id;
  return (
    <>
      <Decide {...{ runs, comparison, judges, settings }} />
      <Regressions {...{ comparison, labelOf }} />
      <MetricTable {...{ runs, rows, comparison, judges, labelOf }} />
      <WinRates {...{ comparison, judges, labelOf }} />
      <p className={page['muted']}>
        Differences are to {runs[0]?.label}, row by row, with their {percent} % intervals; the line in the middle of
        each marks 0. p is the chance of such a difference between runs that are alike, adjusted by Holm for all that is
        compared here.
      </p>
      {ignored.length > 0 && (
        <p className={page['muted']}>Not compared, as they are no numbers or not in both runs: {ignored.join(', ')}.</p>
      )}
      <SettingsForm {...{ comparison, settings }} />
      <RunTable {...{ runs, comparison, labelOf }} />
    </>
  );
}

/** Scores that are in no figure: those of two answers are in win rates. */
function ignoredOf({ ignored_scores, comparisons }: ComparisonDto): readonly string[] {
  const rates = comparisons.flatMap(({ win_rates }) => win_rates.map(({ metric }) => `${metric}.`));
  return ignored_scores.filter((score) => !rates.some((rate) => score.startsWith(rate)));
}

const COLUMNS = [
  { name: 'Run', kind: 'wide' },
  { name: 'Rows predicted', kind: 'number' },
  { name: 'Failed', kind: 'number' },
  { name: 'Missing', kind: 'number' },
  { name: 'Compared rows', kind: 'optional' },
] as const;

interface TableProps extends Pick<Props, 'runs' | 'comparison'> {
  readonly labelOf: (id: string) => string;
}

function RunTable({ comparison: { runs, comparisons }, labelOf }: TableProps) {
  const project = useProject();
  return (
    <Table label="Runs" columns={COLUMNS}>
      {runs.map(({ id, predicted, failed, missing }) => (
        <tr key={id}>
          <td>
            <Link to={project.path(`evaluations/compare?runs=${encodeURIComponent(id)}`)}>{labelOf(id)}</Link>
          </td>
          <td data-kind="number">{formatCount(predicted)}</td>
          <td data-kind="number">{formatCount(failed)}</td>
          <td data-kind="number">{formatMissing(missing)}</td>
          <td data-kind="optional" className={page['muted']}>
            {pairsOf(comparisons.find(({ candidate }) => candidate === id))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function pairsOf(comparison: RunComparisonDto | undefined): string {
  if (!comparison) return 'the baseline';
  const { paired, baseline_only, candidate_only } = comparison.rows;
  const alone = baseline_only + candidate_only;
  return `${formatCount(paired)} in both${alone > 0 ? `; ${formatCount(alone)} in one of them` : ''}`;
}
