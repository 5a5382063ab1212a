import type { ComparisonDto, MetricComparisonDto, RegressionDto, RunComparisonDto } from '@hone/client';

import { formatCount } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Badge } from '../../../shared/ui/badge.js';
import { useDirection } from '../use-direction.js';
import styles from './compare.module.css';
import { formatP, formatSigned, nameOfMetric, SCORE } from './metric.js';

interface Props {
  readonly comparison: ComparisonDto;
  readonly labelOf: (id: string) => string;
}

/** What got worse beyond chance, over all rows and in slices, by name. */
export function Regressions({ comparison: { comparisons }, labelOf }: Props) {
  const { direction } = useDirection();
  // Whether more of some scores is better, as of the length of a text, nobody has said.
  const matters = ({ metric }: RegressionDto): boolean =>
    !metric.startsWith(SCORE) || direction(nameOfMetric(metric)) !== 'neither';
  const found = comparisons.flatMap((comparison) =>
    comparison.regressions.filter(matters).map((regression) => ({ comparison, regression })),
  );
  const slices = comparisons[0]?.slices.length ?? 0;
  return (
    <section className={page['section']} aria-label="What got worse">
      <h2>What got worse</h2>
      {found.length === 0 ? (
        <p className={page['muted']}>
          Nothing, beyond chance{slices > 0 && `, neither over all rows nor in one of ${formatCount(slices)} slices`}.
        </p>
      ) : (
        <ul className={styles['regressions']}>
          {found.map(({ comparison, regression }) => (
            <li key={`${comparison.candidate} ${regression.slice ?? ''} ${regression.metric}`}>
              <Badge tone="bad">▼ worse</Badge> {labelOf(comparison.candidate)}:{' '}
              <b>{nameOfMetric(regression.metric)}</b>{' '}
              {formatSigned(regression.difference, unitOf(comparison, regression))}{' '}
              {regression.slice === null ? 'over all rows' : `where ${regression.slice}`}{' '}
              <span className={page['muted']}>
                {rowsOf(comparison, regression)}, p {formatP(regression.p_adjusted)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const metricOf = ({ metrics }: RunComparisonDto, name: string): MetricComparisonDto | undefined =>
  metrics.find(({ metric }) => metric === name);

const unitOf = (comparison: RunComparisonDto, { metric }: RegressionDto): MetricComparisonDto['unit'] =>
  metricOf(comparison, metric)?.unit ?? null;

function rowsOf({ slices, metrics }: RunComparisonDto, { slice, metric }: RegressionDto): string {
  const of = slice === null ? metrics : (slices.find(({ name }) => name === slice)?.metrics ?? []);
  return `${formatCount(of.find((one) => one.metric === metric)?.pairs ?? 0)} rows`;
}
