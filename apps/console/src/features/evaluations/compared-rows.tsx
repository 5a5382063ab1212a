import { useMemo, useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { formatCount } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { JsonView } from '../../shared/json-view/json-view.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import styles from './evaluations.module.css';
import { formatMetric } from './interval-view.js';
import { type Cell, type ComparedRun, isDifferent, LATENCY, metricNames, type ResultRow } from './results.js';

/** Rows that are shown at a time. */
const STEP = 50;

interface Props {
  readonly runs: readonly ComparedRun[];
  readonly rows: readonly ResultRow[];
}

/** The rows, what each run answered beside them. */
export function ComparedRows({ runs, rows }: Props) {
  const [differ, setDiffer] = useSearchState('differ');
  const [metric, setMetric] = useSearchState('metric');
  const [opened, open] = useSearchState('row');
  const [shown, setShown] = useState(STEP);
  const ids = useMemo(() => runs.map(({ id }) => id), [runs]);
  const found = useMemo(
    () => (differ === '' ? rows : rows.filter((row) => isDifferent(row, ids, metric))),
    [differ, ids, metric, rows],
  );
  return (
    <section className={styles['rows']} aria-label="Rows">
      <div className={page['row']}>
        <h2>
          {formatCount(found.length)} of {formatCount(rows.length)} rows
        </h2>
        {runs.length > 1 && (
          <>
            <label className={page['row']}>
              <input
                type="checkbox"
                checked={differ !== ''}
                onChange={({ target }) => setDiffer(target.checked ? '1' : '')}
              />
              Only where they differ
            </label>
            <Select aria-label="Differ in" value={metric} onChange={({ target }) => setMetric(target.value)}>
              <option value="">in any score</option>
              {metricNames(rows).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </>
        )}
      </div>
      {found.length === 0 ? (
        <EmptyNote title="The runs do not differ here" />
      ) : (
        <Table
          label="Rows side by side"
          columns={[
            { name: 'Open', isHidden: true },
            { name: 'Inputs' },
            ...runs.map(({ label }) => ({ name: label })),
          ]}
        >
          {found.slice(0, shown).map((row) => (
            <Row
              key={row.digest}
              {...{ row, runs }}
              isOpen={opened === row.digest}
              toggle={() => open(opened === row.digest ? '' : row.digest)}
            />
          ))}
        </Table>
      )}
      {found.length > shown && <Button onClick={() => setShown(shown + STEP)}>Show more</Button>}
    </section>
  );
}

interface RowProps {
  readonly row: ResultRow;
  readonly runs: readonly ComparedRun[];
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function Row({ row, runs, isOpen, toggle }: RowProps) {
  return (
    <tr>
      <td>
        <Button aria-expanded={isOpen} aria-label={`${isOpen ? 'Close' : 'Open'} the row`} onClick={toggle}>
          {isOpen ? '−' : '+'}
        </Button>
      </td>
      <td dir="auto">
        {isOpen ? (
          <JsonView label="Inputs" value={row.inputs} />
        ) : (
          <span className={styles['short']}>{preview(row.inputs)}</span>
        )}
      </td>
      {runs.map(({ id }) => (
        <td key={id} dir="auto">
          <Answer cell={row.cells.get(id)} isOpen={isOpen} />
        </td>
      ))}
    </tr>
  );
}

function Answer({ cell, isOpen }: { readonly cell: Cell | undefined; readonly isOpen: boolean }) {
  const project = useProject();
  if (!cell) return <span className={styles['muted']}>no row</span>;
  const scores = [...cell.metrics].filter(([name]) => name !== LATENCY);
  return (
    <>
      {(isOpen ? cell.trials : cell.trials.slice(0, 1)).map(({ prediction_id, output, exception, scores: given }) => (
        <div key={prediction_id} className={styles['trial']}>
          {exception !== null && <p className={styles['exception']}>{exception}</p>}
          {isOpen ? (
            <>
              <JsonView label="Output" value={output} />
              <JsonView label="Scores" value={given} />
              <Link to={project.path(`calls/${encodeURIComponent(prediction_id)}`)}>Open the call</Link>
              <CallFeedback callId={prediction_id} />
            </>
          ) : (
            <span className={styles['short']}>{preview(output)}</span>
          )}
        </div>
      ))}
      {!isOpen && cell.trials.length > 1 && <p className={styles['muted']}>{cell.trials.length} trials</p>}
      <p className={styles['muted']}>{scores.map(([name, value]) => `${name} ${formatMetric(value)}`).join(', ')}</p>
    </>
  );
}
