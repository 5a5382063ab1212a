import { formatCount } from '../../shared/format/format.js';
import { Uncorrected } from '../../shared/labels/uncorrected.js';
import { Table } from '../../shared/page/table.js';
import { useScorers } from '../../shared/scorers/use-scorers.js';
import { isJudged } from './compare/judges.js';
import { formatMissing, IntervalView } from './interval-view.js';
import { meanOf, metricNames, type ResultRow } from './results.js';
import type { Results } from './use-results.js';

const COLUMNS = [{ name: 'Metric' }, { name: 'Mean', kind: 'wide' }] as const;

interface Props {
  /** Of the run. */
  readonly id: string;
  readonly rows: readonly ResultRow[];
  readonly summary: Results['summary'];
}

/** The means of one run, with their intervals over its rows. */
export function RunScores({ id, rows, summary }: Props) {
  const scorers = useScorers();
  const counts = summary.find(({ evaluation_run_id }) => evaluation_run_id === id);
  return (
    <Table label="Scores" columns={COLUMNS}>
      <tr>
        <td>rows predicted, failed, missing</td>
        <td>
          {formatCount(counts?.predicted ?? 0)}, {formatCount(counts?.failed ?? 0)}, {formatMissing(counts?.missing)}
        </td>
      </tr>
      {metricNames(rows).map((metric) => (
        <tr key={metric}>
          <td>{metric}</td>
          <td>
            <IntervalView interval={meanOf(rows, id, metric)} />{' '}
            {isJudged(metric, scorers.data ?? []) && <Uncorrected />}
          </td>
        </tr>
      ))}
    </Table>
  );
}
