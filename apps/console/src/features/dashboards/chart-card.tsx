import { isJsonObject } from '@hone/client';
import { ArrowLeft, ArrowRight, Pencil, StretchHorizontal, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';

import { Button } from '../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { type Chart, type ReadChart, titleOf, widthOf } from './chart.js';
import { ChartView } from './chart-view.js';
import styles from './dashboards.module.css';
import { useChart } from './use-chart.js';

/** What one does with a chart of a dashboard. */
export interface ChartActions {
  readonly edit: () => void;
  /** Null: it is the first, or the last. */
  readonly moveBack: (() => void) | null;
  readonly moveOn: (() => void) | null;
  readonly widen: (width: 1 | 2) => void;
  readonly remove: () => void;
}

interface Props {
  readonly read: ReadChart;
  /** What stands in its place in the object. */
  readonly value: unknown;
  /** Among the charts, from 1. */
  readonly number: number;
  readonly spanName: string;
  readonly isCompared: boolean;
  /** Null: it is only shown. */
  readonly actions: ChartActions | null;
  /** The button that gets the focus: the chart was moved here by it. */
  readonly focused: 'back' | 'on' | null;
}

/** A chart with what of it cannot be shown, and the buttons that change and move it. */
export function ChartCard({ read, value, number, spanName, isCompared, actions, focused }: Props) {
  const { chart, problems } = read;
  const name = nameOf(read, value);
  return (
    <section
      className={`${styles['card']} ${widthOf(value) === 2 ? styles['wide'] : ''}`}
      aria-label={`Chart ${number}: ${name}`}
    >
      {actions && <Toolbar {...{ name, actions, focused }} isWide={widthOf(value) === 2} isShown={chart !== null} />}
      {chart ? (
        <Drawn key={JSON.stringify({ ...chart, width: 1 })} {...{ chart, number, spanName, isCompared }} />
      ) : (
        <div className={styles['titled']}>
          <b>{name}</b>
          <p>This chart cannot be shown.</p>
        </div>
      )}
      {problems.length > 0 && (
        <ul className={styles['problems']} aria-label={`What of “${name}” cannot be shown`}>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Also of one that cannot be shown. */
function nameOf({ chart }: ReadChart, value: unknown): string {
  if (chart) return titleOf(chart);
  const title = isJsonObject(value) ? value['title'] : undefined;
  return typeof title === 'string' && title.trim() !== '' ? title.trim().slice(0, 200) : 'Without a title';
}

interface DrawnProps {
  readonly chart: Chart;
  readonly number: number;
  readonly spanName: string;
  readonly isCompared: boolean;
}

function Drawn({ chart, number, spanName, isCompared }: DrawnProps) {
  const figures = useChart(chart, spanName, isCompared);
  if (figures.data) return <ChartView chart={chart} number={number} figures={figures.data} />;
  return (
    <div className={styles['titled']}>
      <b>{titleOf(chart)}</b>
      {figures.error ? (
        <ErrorNote error={figures.error} retry={() => void figures.refetch()} />
      ) : (
        <Loading what="the chart" />
      )}
    </div>
  );
}

interface ToolbarProps {
  readonly name: string;
  readonly actions: ChartActions;
  readonly focused: Props['focused'];
  readonly isWide: boolean;
  /** What cannot be shown cannot be changed either, but moved and removed. */
  readonly isShown: boolean;
}

function Toolbar({ name, actions, focused, isWide, isShown }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const { edit, moveBack, moveOn, widen, remove } = actions;
  useEffect(() => {
    if (focused === null) return;
    // The first chart moves no further back, and the last no further on.
    const find = (which: string) => bar.current?.querySelector<HTMLElement>(`[data-move${which}]:not(:disabled)`);
    (find(`=${focused}`) ?? find(''))?.focus();
  }, [focused]);
  const move = (data: string, label: string, act: (() => void) | null) => ({
    ...({ kind: 'plain', title: label, 'aria-label': `${label}: ${name}`, 'data-move': data } as const),
    ...{ disabled: act === null, onClick: () => act?.() },
  });
  return (
    <div ref={bar} className={styles['toolbar']} role="group" aria-label={`Arrange “${name}”`}>
      <Button {...move('back', 'Move back', moveBack)}>
        <ArrowLeft size={16} aria-hidden />
      </Button>
      <Button {...move('on', 'Move on', moveOn)}>
        <ArrowRight size={16} aria-hidden />
      </Button>
      <Button
        kind="plain"
        title="Two columns wide"
        aria-label={`Two columns wide: ${name}`}
        aria-pressed={isWide}
        onClick={() => widen(isWide ? 1 : 2)}
      >
        <StretchHorizontal size={16} aria-hidden />
      </Button>
      {isShown && (
        <Button kind="plain" title="Change" aria-label={`Change: ${name}`} onClick={edit}>
          <Pencil size={16} aria-hidden />
        </Button>
      )}
      <Button kind="plain" title="Remove" aria-label={`Remove: ${name}`} onClick={remove}>
        <Trash2 size={16} aria-hidden />
      </Button>
    </div>
  );
}
