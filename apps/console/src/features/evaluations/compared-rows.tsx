import { useMemo, useState } from 'react';

import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Select } from '../../shared/ui/input.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { expectedField, NONE, rowFields } from './compare/expected.js';
import { orderRows, ROW_ORDERS, toRowOrder } from './compare/row-order.js';
import { ComparedRow } from './compared-row.js';
import styles from './evaluations.module.css';
import { type ComparedRun, hasStatus, isDifferent, metricNames, type ResultRow } from './results.js';
import { useDirection } from './use-direction.js';

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
  const [order, setOrder] = useSearchState('order');
  const [chosenField, setField] = useSearchState('expected');
  const metrics = useMemo(() => metricNames(rows), [rows]);
  const fields = useMemo(() => rowFields(rows), [rows]);
  const expected = expectedField(fields, chosenField);
  const { direction } = useDirection();
  const found = useMemo(() => {
    const meant = rows.filter((row) => hasStatus(row, ids, status) && (differ === '' || isDifferent(row, ids, metric)));
    return orderRows(meant, { runs: ids, metric, direction }, toRowOrder(order));
  }, [differ, direction, ids, metric, order, rows, status]);
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
              {metrics.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
            <Select aria-label="Order" value={order} onChange={({ target }) => setOrder(target.value)}>
              {Object.entries(ROW_ORDERS).map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </Select>
          </>
        )}
        {fields.length > 1 && (
          <Select
            aria-label="Field with the right answer"
            value={expected ?? NONE}
            onChange={({ target }) => setField(target.value)}
          >
            <option value={NONE}>no expected answer</option>
            {fields.map((name) => (
              <option key={name} value={name}>
                expected: {name}
              </option>
            ))}
          </Select>
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
            ...(expected === null ? [] : [{ name: 'Expected' }]),
            ...runs.map(({ label }) => ({ name: label })),
          ]}
        >
          {found.slice(0, shown).map((row) => (
            <ComparedRow
              key={row.digest}
              {...{ row, runs, expected, metric }}
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
