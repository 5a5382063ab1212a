import type { ChartSeriesDto } from '@hone/client';
import { Link } from 'wouter';

import { callsLink } from '../../shared/calls/calls-link.js';
import { useProject } from '../../shared/data/project.js';
import { formatCost, formatCount, formatDuration, shortOpName } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import type { TimeSpan } from '../../shared/time-span/time-span.js';
import styles from './home.module.css';

const SHOWN = 5;

interface Props {
  readonly ops: readonly ChartSeriesDto[];
  readonly span: TimeSpan;
}

/** The ops that take the longest and those that cost the most, each a way to their calls. */
export function OpsTables({ ops, span }: Props) {
  return (
    <div className={styles['charts']}>
      <Ranked
        title="Slowest ops"
        head="p95 latency"
        ops={ops}
        span={span}
        measure="p95_latency_ms"
        format={formatDuration}
      />
      <Ranked title="Dearest ops" head="Cost" ops={ops} span={span} measure="cost" format={formatCost} />
    </div>
  );
}

interface RankedProps extends Props {
  readonly title: string;
  readonly head: string;
  readonly measure: string;
  readonly format: (value: number) => string;
}

function Ranked({ title, head, ops, span, measure, format }: RankedProps) {
  const project = useProject();
  const valueOf = ({ totals }: ChartSeriesDto) => totals[measure] ?? 0;
  const shown = ops
    .filter((op) => valueOf(op) > 0)
    .toSorted((a, b) => valueOf(b) - valueOf(a))
    .slice(0, SHOWN);
  return (
    <section className={styles['ranked']} aria-label={title}>
      <h2>{title}</h2>
      {shown.length === 0 ? (
        <p className={page['muted']}>Nothing in this time.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Op</th>
              <th scope="col">{head}</th>
              <th scope="col">Calls</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((op) => {
              const name = shortOpName(op.key['op'] ?? '');
              return (
                <tr key={op.key['op']}>
                  <th scope="row">
                    <Link to={project.path(`calls?${callsLink({ ...span, op: name })}`)}>{name}</Link>
                  </th>
                  <td>{format(valueOf(op))}</td>
                  <td>{formatCount(op.totals['calls'] ?? 0)}</td>
                  <td>{formatCount(op.totals['errors'] ?? 0)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
