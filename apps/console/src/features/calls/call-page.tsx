import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useMemo, useState } from 'react';
import { Link } from 'wouter';

import { ConversationView } from '../../shared/conversation/conversation-view.js';
import { useProject } from '../../shared/data/project.js';
import { useRememberedNumber } from '../../shared/data/remembered.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { Page } from '../../shared/page/page.js';
import { PendingPage } from '../../shared/page/pending-page.js';
import { titleOf, traceQuery, type TreeRow } from '../../shared/trace/trace-query.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { EmptyNote, Loading } from '../../shared/ui/notes.js';
import { ResizeHandle } from '../../shared/ui/resize-handle.js';
import { CallDetail } from './call-detail.js';
import {
  formatSpan,
  parseSpan,
  siblingsOf,
  type Span,
  spanAround,
  toTree,
  WHOLE,
  ZOOM_FACTOR,
  zoomed,
} from './trace/call-tree.js';
import styles from './trace/trace.module.css';
import { TraceTotals } from './trace/trace-totals.js';
import { TraceTree } from './trace/trace-tree.js';
import { traceUsageQuery, usedIn } from './trace/trace-usage.js';
import { ZoomButtons } from './trace/zoom-buttons.js';

const TITLE = 'Trace';
/** In the address of the page; anything else is the tree. */
const CONVERSATION = 'conversation';
const NO_TRACE = { traceId: '', rows: [] };
/** Percent of the page. */
const WIDTH = { standard: 45, min: 20, max: 80 } as const;

/** The whole trace of a call as a tree and a waterfall in one, and the selected call beside it. */
export default function CallPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [selected, select] = useSearchState('call');
  const trace = useQuery(traceQuery(project.id, id));
  const usage = useQuery({ ...traceUsageQuery(project.id, trace.data ?? NO_TRACE), enabled: !!trace.data });
  const nodes = useMemo(() => (trace.data ? toTree(trace.data.rows) : []), [trace.data]);
  const { byCall, inAll } = useMemo(() => usedIn(nodes, usage.data ?? {}), [nodes, usage.data]);
  const [search, setSearch] = useState('');
  const [zoom, setZoom] = useSearchState('zoom');
  const [view, setView] = useSearchState('view');
  const [width, setWidth] = useRememberedNumber('trace.width', WIDTH.standard);
  const span = useMemo(() => parseSpan(zoom), [zoom]);
  const shown = selected || id;
  const siblings = useMemo(() => siblingsOf(nodes, shown), [nodes, shown]);
  const setSpan = (to: Span) => setZoom(formatSpan(to));
  const fitSelected = () => {
    const node = nodes.find(({ row }) => row.id === shown);
    if (node) setSpan(spanAround(node));
  };
  const back = <Link to={project.path('calls')}>Calls</Link>;
  if (trace.error)
    return (
      <PendingPage title={TITLE} what="the trace" error={trace.error} back={back} retry={() => void trace.refetch()} />
    );
  if (trace.data === null)
    return (
      <Page title={TITLE} back={back}>
        <EmptyNote title="There is no such call">
          <p>It was deleted, or the time for which the project keeps calls is over.</p>
        </EmptyNote>
      </Page>
    );
  const part = { nodes, selected: shown, select };
  return (
    <Page
      title={TITLE}
      back={back}
      actions={
        <>
          {trace.data && <TraceTotals {...part} used={inAll} />}
          {view !== CONVERSATION && (
            <>
              <Input
                type="search"
                aria-label="Find a call by name"
                placeholder="Find"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
              <ZoomButtons span={span} setSpan={setSpan} fitSelected={fitSelected} />
            </>
          )}
        </>
      }
    >
      <div className={styles['trace']} style={{ '--tree': `${width}%` } as CSSProperties}>
        <div className={styles['left']} id="trace-tree">
          <div className={styles['views']} role="group" aria-label="View of the trace">
            <Button aria-pressed={view !== CONVERSATION} onClick={() => setView('')}>
              Tree
            </Button>
            <Button aria-pressed={view === CONVERSATION} onClick={() => setView(CONVERSATION)}>
              Conversation
            </Button>
          </div>
          {trace.data && view === CONVERSATION ? (
            <ConversationView key={trace.data.traceId} trace={trace.data} selected={shown} select={select} />
          ) : trace.data ? (
            <TraceTree
              {...part}
              used={byCall}
              search={search}
              span={span}
              zoomKeys={{
                '+': () => setSpan(zoomed(span, 1 / ZOOM_FACTOR)),
                '-': () => setSpan(zoomed(span, ZOOM_FACTOR)),
                0: () => setSpan(WHOLE),
                f: fitSelected,
              }}
            />
          ) : (
            <Loading what="the trace" />
          )}
        </div>
        <ResizeHandle label="Width of the tree" controls="trace-tree" value={width} change={setWidth} {...WIDTH} />
        <div className={styles['detail']}>
          <CallDetail id={shown}>
            {(siblings.before ?? siblings.after) !== null && (
              <nav className={styles['siblings']} aria-label="Siblings">
                <Sibling label="Previous sibling" row={siblings.before} select={select} />
                <Sibling label="Next sibling" row={siblings.after} select={select} />
              </nav>
            )}
          </CallDetail>
        </div>
      </div>
    </Page>
  );
}

interface SiblingProps {
  readonly label: string;
  readonly row: TreeRow | null;
  readonly select: (id: string) => void;
}

const Sibling = ({ label, row, select }: SiblingProps) => (
  <Button disabled={row === null} title={row ? titleOf(row) : undefined} onClick={() => select(row?.id ?? '')}>
    {label}
  </Button>
);
