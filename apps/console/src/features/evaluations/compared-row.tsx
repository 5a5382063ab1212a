import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { CallFeedback } from '../../shared/feedback/call-feedback.js';
import { formatMetric } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { JsonView } from '../../shared/json-view/json-view.js';
import { Readable } from '../../shared/readable/readable.js';
import { textsOf } from '../../shared/readable/texts.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import compare from './compare/compare.module.css';
import { splitRow } from './compare/expected.js';
import { changeOfCell } from './compare/row-order.js';
import { changeOf } from './direction.js';
import styles from './evaluations.module.css';
import { type Cell, type ComparedRun, LATENCY, type ResultRow } from './results.js';
import { useDirection } from './use-direction.js';

/** Characters of an exception in a closed row. */
const SHORT = 200;

interface Props {
  readonly row: ResultRow;
  readonly runs: readonly ComparedRun[];
  /** Field with the right answer; null: rows have none. */
  readonly expected: string | null;
  /** What cells are coloured by; '': all scores. */
  readonly metric: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** A row of the dataset, and what each run answered; those better or worse than the first are marked. */
export function ComparedRow({ row, runs, expected: field, metric, isOpen, toggle }: Props) {
  const { direction } = useDirection();
  const ids = runs.map(({ id }) => id);
  const [baseId = ''] = ids;
  const { asked, expected } = splitRow(row.inputs, field);
  return (
    <tr>
      <td className={styles['open']} data-kind="short">
        <Button aria-expanded={isOpen} aria-label={`${isOpen ? 'Close' : 'Open'} the row`} onClick={toggle}>
          {isOpen ? '−' : '+'}
        </Button>
      </td>
      <td dir="auto" className={styles['asked']}>
        <Value label="Inputs" value={asked} isOpen={isOpen} />
      </td>
      {field !== null && (
        <td dir="auto">{expected !== undefined && <Value label="Expected" value={expected} isOpen={isOpen} />}</td>
      )}
      {runs.map(({ id }) => {
        const before = id === baseId ? undefined : row.cells.get(baseId);
        const change = before ? changeOfCell(row, id, { runs: ids, metric, direction }) : 'same';
        return (
          <td key={id} dir="auto" className={compare['answer']} data-change={change}>
            <Answer cell={row.cells.get(id)} before={before} isOpen={isOpen} />
          </td>
        );
      })}
    </tr>
  );
}

interface ValueProps {
  readonly label: string;
  readonly value: unknown;
  readonly isOpen: boolean;
}

/** What was asked, or is right: texts as they are, all else as JSON. */
function Value({ label, value, isOpen }: ValueProps) {
  const isText = textsOf(value) !== null;
  if (isOpen) return isText ? <Readable value={value} /> : <JsonView label={label} value={value} />;
  return (
    <div className={styles['short']}>{isText ? <Readable value={value} isFormatted={false} /> : preview(value)}</div>
  );
}

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
  if (!cell) return <span className={styles['muted']}>no row</span>;
  if (cell.status === 'missing') return <Badge tone="warn">missing</Badge>;
  return (
    <>
      {cell.status === 'failed' && <Badge tone="bad">failed</Badge>}
      {(isOpen ? cell.trials : cell.trials.slice(-1)).map((trial) => (
        <Trial key={trial.prediction_id} {...{ trial, isOpen }} />
      ))}
      {!isOpen && cell.trials.length > 1 && <p className={styles['muted']}>{cell.trials.length} trials</p>}
      <Scores {...{ cell, before }} />
    </>
  );
}

interface TrialProps {
  readonly trial: Cell['trials'][number];
  readonly isOpen: boolean;
}

function Trial({ trial: { prediction_id, output, exception, scores, counts, score_exceptions }, isOpen }: TrialProps) {
  const project = useProject();
  return (
    <div className={styles['trial']}>
      {!counts && <p className={styles['muted']}>replaced by a newer prediction</p>}
      {exception !== null && <p className={styles['exception']}>{shorten(exception, isOpen)}</p>}
      {Object.entries(score_exceptions).map(([name, text]) => (
        <p key={name} className={styles['exception']}>
          {name}: {shorten(String(text), isOpen)}
        </p>
      ))}
      {isOpen ? (
        <>
          <JsonView label="Output" value={output} />
          <JsonView label="Scores" value={scores} />
          <Link to={project.path(`calls/${encodeURIComponent(prediction_id)}`)}>Open the call</Link>
          <CallFeedback callId={prediction_id} />
        </>
      ) : (
        <span className={styles['short']}>{preview(output)}</span>
      )}
    </div>
  );
}

/** The scores of an answer, each with an arrow where it is better or worse. */
function Scores({ cell, before }: Pick<AnswerProps, 'before'> & { readonly cell: Cell }) {
  const { direction } = useDirection();
  const scores = [...cell.metrics].filter(([name]) => name !== LATENCY);
  return (
    <p className={styles['muted']}>
      {scores.map(([name, value], at) => {
        const known = before?.metrics.get(name);
        const change = known === undefined ? 'same' : changeOf(value - known, direction(name));
        return (
          <span key={name}>
            {at > 0 && ', '}
            <span
              className={compare['score']}
              data-change={change}
              title={change === 'same' ? undefined : `${change} than the first run`}
            >
              {name} {formatMetric(value)}
              {change !== 'same' && (change === 'better' ? ' ▲' : ' ▼')}
            </span>
          </span>
        );
      })}
    </p>
  );
}
