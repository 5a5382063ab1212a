import { useMemo, useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { formatCount, formatMetric } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { JsonView } from '../../shared/json-view/json-view.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Readable } from '../../shared/readable/readable.js';
import { textsOf } from '../../shared/readable/texts.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { changeOf } from './direction.js';
import styles from './evaluations.module.css';
import {
  type Cell,
  type ComparedRun,
  hasStatus,
  isDifferent,
  LATENCY,
  metricNames,
  type ResultRow,
} from './results.js';
import { useDirection } from './use-direction.js';

/** Characters of an exception in a closed row. */
const SHORT = 200;
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
  const [status, setStatus] = useSearchState('status');
  const found = useMemo(
    () => rows.filter((row) => hasStatus(row, ids, status) && (differ === '' || isDifferent(row, ids, metric))),
    [differ, ids, metric, rows, status],
  );
  return (
    <section className={styles['rows']} aria-label="Rows">
      <div className={page['row']}>
        <h2>
          {formatCount(found.length)} of {formatCount(rows.length)} rows
        </h2>
        <Select aria-label="Status" value={status} onChange={({ target }) => setStatus(target.value)}>
          <option value="">any status</option>
          <option value="failed">failed</option>
          <option value="missing">missing</option>
        </Select>
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
        <EmptyNote title={status === '' ? 'The runs do not differ here' : `No row is ${status} here`} />
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
  const baseId = runs[0]?.id ?? '';
  return (
    <tr>
      <td>
        <Button aria-expanded={isOpen} aria-label={`${isOpen ? 'Close' : 'Open'} the row`} onClick={toggle}>
          {isOpen ? '−' : '+'}
        </Button>
      </td>
      <td dir="auto">
        {isOpen ? (
          <Inputs value={row.inputs} />
        ) : (
          <div className={styles['short']}>
            {textsOf(row.inputs) === null ? preview(row.inputs) : <Readable value={row.inputs} isFormatted={false} />}
          </div>
        )}
      </td>
      {runs.map(({ id }) => (
        <td key={id} dir="auto">
          <Answer cell={row.cells.get(id)} before={id === baseId ? undefined : row.cells.get(baseId)} isOpen={isOpen} />
        </td>
      ))}
    </tr>
  );
}

const Inputs = ({ value }: { readonly value: unknown }) =>
  textsOf(value) === null ? <JsonView label="Inputs" value={value} /> : <Readable value={value} />;

/** Of an exception, which may be a whole stack trace, the begin is enough until the row is opened. */
const shorten = (text: string, isOpen: boolean): string =>
  isOpen || text.length <= SHORT ? text : `${text.slice(0, SHORT)}…`;

interface AnswerProps {
  readonly cell: Cell | undefined;
  /** That of the first run, which the others are compared with; undefined: there is none. */
  readonly before: Cell | undefined;
  readonly isOpen: boolean;
}

function Answer({ cell, before, isOpen }: AnswerProps) {
  const { direction } = useDirection();
  const project = useProject();
  if (!cell) return <span className={styles['muted']}>no row</span>;
  if (cell.status === 'missing') return <Badge tone="warn">missing</Badge>;
  const scores = [...cell.metrics].filter(([name]) => name !== LATENCY);
  return (
    <>
      {cell.status === 'failed' && <Badge tone="bad">failed</Badge>}
      {(isOpen ? cell.trials : cell.trials.slice(-1)).map(({ prediction_id, output, exception, ...trial }) => (
        <div key={prediction_id} className={styles['trial']}>
          {!trial.counts && <p className={styles['muted']}>replaced by a newer prediction</p>}
          {exception !== null && <p className={styles['exception']}>{shorten(exception, isOpen)}</p>}
          {Object.entries(trial.score_exceptions).map(([name, text]) => (
            <p key={name} className={styles['exception']}>
              {name}: {shorten(String(text), isOpen)}
            </p>
          ))}
          {isOpen ? (
            <>
              <JsonView label="Output" value={output} />
              <JsonView label="Scores" value={trial.scores} />
              <Link to={project.path(`calls/${encodeURIComponent(prediction_id)}`)}>Open the call</Link>
              <CallFeedback callId={prediction_id} />
            </>
          ) : (
            <span className={styles['short']}>{preview(output)}</span>
          )}
        </div>
      ))}
      {!isOpen && cell.trials.length > 1 && <p className={styles['muted']}>{cell.trials.length} trials</p>}
      <p className={styles['muted']}>
        {scores.map(([name, value], at) => {
          const known = before?.metrics.get(name);
          const change = known === undefined ? 'same' : changeOf(value - known, direction(name));
          return (
            <span
              key={name}
              data-change={change}
              title={change === 'same' ? undefined : `${change} than the first run`}
            >
              {at > 0 && ', '}
              {name} {formatMetric(value)}
              {change !== 'same' && (change === 'better' ? ' ▲' : ' ▼')}
            </span>
          );
        })}
      </p>
    </>
  );
}
