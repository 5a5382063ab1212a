import { useMemo, useRef, useState } from 'react';

import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { readChart, titleOf } from './chart.js';
import { type ChartActions, ChartCard } from './chart-card.js';
import { ChartDialog } from './chart-dialog.js';
import {
  type Dashboard,
  type DashboardValue,
  MAX_CHARTS,
  withAdded,
  withMoved,
  withoutChart,
  withReplaced,
  withWidth,
} from './dashboard.js';
import styles from './dashboards.module.css';

interface Props {
  readonly value: DashboardValue;
  readonly dashboard: Dashboard;
  readonly spanName: string;
  readonly isCompared: boolean;
  /** Null: one may not. */
  readonly change: ((value: DashboardValue) => void) | null;
  readonly isEditing: boolean;
}

/** Which chart the dialog is about; null: none. */
type Asked = number | 'new' | null;

/** The charts of a dashboard in their places, which one changes, moves and removes. */
export function Board({ value, dashboard, spanName, isCompared, change, isEditing }: Props) {
  const shown = useMemo(
    () => dashboard.charts.slice(0, MAX_CHARTS).map((one) => ({ value: one, read: readChart(one) })),
    [dashboard],
  );
  const count = dashboard.charts.length;
  const [asked, setAsked] = useState<Asked>(null);
  const [moved, setMoved] = useState<{ readonly at: number; readonly way: 'back' | 'on' } | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const move = (from: number, way: 'back' | 'on') => {
    const at = way === 'on' ? from + 1 : from - 1;
    change?.(withMoved(value, from, at));
    setMoved({ at, way });
  };
  const actionsOf = (at: number): ChartActions => ({
    edit: () => setAsked(at),
    moveBack: at === 0 ? null : () => move(at, 'back'),
    moveOn: at === count - 1 ? null : () => move(at, 'on'),
    widen: (width) => change?.(withWidth(value, at, width)),
    remove: () => {
      change?.(withoutChart(value, at));
      // The button is gone with its chart.
      add.current?.focus();
    },
  });
  const chart = typeof asked === 'number' ? (shown[asked]?.read.chart ?? null) : null;
  const mayAdd = change !== null && (isEditing || count === 0);
  return (
    <>
      {count === 0 && (
        <EmptyNote title="No charts yet">
          <p>A chart shows one or more measures of the calls of this project, over time or by model, op, end user …</p>
        </EmptyNote>
      )}
      {mayAdd && (
        <div className={page['row']}>
          <Button ref={add} disabled={count >= MAX_CHARTS} onClick={() => setAsked('new')}>
            Add a chart
          </Button>
          {count >= MAX_CHARTS && <span className={page['muted']}>{MAX_CHARTS} charts are the most.</span>}
        </div>
      )}
      <div className={styles['board']}>
        {shown.map((one, at) => (
          <ChartCard
            key={at}
            {...one}
            {...{ number: at + 1, spanName, isCompared }}
            actions={change !== null && isEditing ? actionsOf(at) : null}
            focused={moved?.at === at ? moved.way : null}
          />
        ))}
      </div>
      <p role="status" className="visually-hidden">
        {moved && `${nameAt(shown, moved.at)} is now chart ${moved.at + 1} of ${count}.`}
      </p>
      {asked !== null && (
        <ChartDialog
          chart={chart}
          close={() => setAsked(null)}
          submit={(changed) => {
            change?.(typeof asked === 'number' ? withReplaced(value, asked, changed) : withAdded(value, changed));
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

function nameAt(shown: readonly { readonly read: ReturnType<typeof readChart> }[], at: number): string {
  const chart = shown[at]?.read.chart;
  return chart ? titleOf(chart) : `Chart ${at + 1}`;
}
