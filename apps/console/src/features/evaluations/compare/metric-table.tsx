import type { ComparisonDto, MetricComparisonDto } from '@hone/client';
import { useState } from 'react';

import page from '../../../shared/page/page.module.css';
import { Table, type TableColumn } from '../../../shared/page/table.js';
import type { ComparedRun, ResultRow } from '../results.js';
import { LabelRows } from './labels/label-rows.js';
import { MetricRow } from './metric-row.js';
import type { KnownJudge } from './use-judges.js';

interface Props {
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
  readonly comparison: ComparisonDto;
  /** By metric. */
  readonly judges: ReadonlyMap<string, KnownJudge>;
  readonly labelOf: (id: string) => string;
}

/** A metric of a candidate. */
interface Compared {
  readonly candidate: string;
  readonly metric: MetricComparisonDto;
}

/** Per metric the means, the difference with its interval as a number and as a line, the test, and what follows. */
export function MetricTable({ runs, rows, comparison: { comparisons }, judges, labelOf }: Props) {
  const [labelled, setLabelled] = useState<KnownJudge | null>(null);
  const byMetric = new Map<string, Compared[]>();
  for (const { candidate, metrics } of comparisons)
    for (const metric of metrics)
      byMetric.set(metric.metric, [...(byMetric.get(metric.metric) ?? []), { candidate, metric }]);
  if (byMetric.size === 0)
    return <p className={page['muted']}>No row of these runs has a number in both: nothing can be compared.</p>;
  const [base, ...others] = runs;
  const columns: TableColumn[] = [
    { name: 'Metric' },
    { name: base?.label ?? '' },
    ...(others.length > 1 ? [{ name: 'Run' }] : []),
    { name: others.length > 1 ? 'Its mean' : (others[0]?.label ?? '') },
    { name: 'Difference' },
    { name: 'worse ← 0 → better' },
    { name: 'Won, tied, lost' },
    { name: 'p', kind: 'number' },
    { name: 'Verdict' },
  ];
  const definition = labelled?.scorer.definition;
  return (
    <>
      <Table label="Scores" columns={columns}>
        {[...byMetric].flatMap(([name, compared]) =>
          compared.map(({ candidate, metric }, at) => (
            <MetricRow
              key={`${name} ${candidate}`}
              {...{ metric, judge: judges.get(name), isFirst: at === 0 }}
              run={others.length > 1 ? labelOf(candidate) : null}
              scale={scaleOf(compared)}
              label={setLabelled}
            />
          )),
        )}
      </Table>
      {labelled && definition && (
        <LabelRows {...{ runs, rows, definition }} judge={labelled} close={() => setLabelled(null)} />
      )}
    </>
  );
}

/** The largest value of the metric's differences and margins: candidates are drawn alike. */
const scaleOf = (compared: readonly Compared[]): number =>
  Math.max(
    0,
    ...compared.flatMap(({ metric: { difference, non_inferiority } }) =>
      [difference.low, difference.high, difference.estimate, non_inferiority?.margin ?? 0].map((value) =>
        Math.abs(value ?? 0),
      ),
    ),
  );
