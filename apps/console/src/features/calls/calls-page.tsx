import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';

import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatAge, formatCount, formatDuration, formatTime, shortOpName } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { Button } from '../../shared/ui/button.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { BulkBar } from './bulk/bulk-bar.js';
import { type Selection, useSelection } from './bulk/selection.js';
import { CallDetail } from './call-detail.js';
import type { CallRow } from './call-row.js';
import styles from './calls.module.css';
import { CallsToolbar } from './calls-toolbar.js';
import { StatusMark } from './status-mark.js';
import { useCalls } from './use-calls.js';

const ROW_HEIGHT = 34;
const OVERSCAN = 12;

/** The calls of a project: a list that is filtered, walked by keys, and looked into beside itself. */
export default function CallsPage() {
  const project = useProject();
  const [op] = useSearchState('op');
  const [status] = useSearchState('status');
  const [range] = useSearchState('range');
  const [depth] = useSearchState('depth');
  const [selected, select] = useSearchState('call');
  const filter = useMemo(() => ({ op, status, range, depth }), [op, status, range, depth]);
  const { pages, rows, isBehind } = useCalls(project.id, filter);
  const selection = useSelection();
  const isFiltered = op !== '' || status !== '' || range !== '';
  return (
    <div className={styles['page']} data-peek={selected !== ''}>
      <CallsToolbar>{isBehind && <Button onClick={() => void pages.refetch()}>Show newer calls</Button>}</CallsToolbar>
      {selection.ids.size > 0 && <BulkBar selection={selection} loaded={rows.map(({ id }) => id)} />}
      {pages.error && rows.length === 0 ? (
        <ErrorNote error={pages.error} retry={() => void pages.refetch()} />
      ) : pages.isPending ? (
        <Loading what="calls" />
      ) : rows.length === 0 ? (
        <NoCalls isFiltered={isFiltered} />
      ) : (
        <CallList
          rows={rows}
          selection={selection}
          selected={selected}
          select={select}
          hasMore={pages.hasNextPage}
          more={() => !pages.isFetching && void pages.fetchNextPage()}
        />
      )}
      {selected !== '' && (
        <aside className={styles['peek']} aria-label="Selected call">
          <CallDetail id={selected} close={() => select('')} />
        </aside>
      )}
    </div>
  );
}

interface ListProps {
  readonly rows: readonly CallRow[];
  readonly selection: Selection;
  readonly selected: string;
  readonly select: (id: string) => void;
  readonly hasMore: boolean;
  readonly more: () => void;
}

/** Only the rows that are seen are in the page, however long the list is. */
function CallList({ rows, selection, selected, select, hasMore, more }: ListProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const now = useNow();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - 2 * OVERSCAN) more();
  }, [hasMore, last, more, rows.length]);
  const at = rows.findIndex(({ id }) => id === selected);
  const move = (by: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, at + by));
    select(rows[next]?.id ?? '');
    virtual.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (by !== undefined) move(by);
    else if (event.key === 'Escape') select('');
    else if (event.key === 'x' && at >= 0) selection.toggle(selected);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      role="grid"
      aria-label="Calls, newest first; J and K move through them, X selects"
      aria-rowcount={hasMore ? -1 : rows.length}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `call-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['head']} role="row">
        <span role="columnheader" aria-label="Selected" />
        <span role="columnheader" aria-label="Status" />
        <span role="columnheader">Call</span>
        <span role="columnheader" className={styles['optional']}>
          Model
        </span>
        <span role="columnheader" className={styles['number']}>
          Began
        </span>
        <span role="columnheader" className={styles['number']}>
          Latency
        </span>
        <span role="columnheader" className={`${styles['number']} ${styles['optional']}`}>
          Tokens
        </span>
      </div>
      <div role="rowgroup" className={styles['sizer']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index] as CallRow;
          return (
            <div
              key={row.id}
              id={`call-${row.id}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 1}
              aria-selected={row.id === selected}
              className={styles['row']}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => select(row.id)}
            >
              <span role="gridcell">
                <input
                  type="checkbox"
                  className={styles['select']}
                  // The grid has the focus; X selects.
                  tabIndex={-1}
                  aria-label={`Select ${row.displayName ?? shortOpName(row.opName)}`}
                  checked={selection.ids.has(row.id)}
                  onClick={(event) => event.stopPropagation()}
                  onChange={() => selection.toggle(row.id)}
                />
              </span>
              <span role="gridcell">
                <StatusMark status={row.status} />
              </span>
              <span role="gridcell">{row.displayName ?? shortOpName(row.opName)}</span>
              <span role="gridcell" className={`${styles['muted']} ${styles['optional']}`}>
                {row.models.join(', ')}
              </span>
              <span role="gridcell" className={styles['number']} title={formatTime(row.startedAt)}>
                {formatAge(row.startedAt, now)}
              </span>
              <span role="gridcell" className={styles['number']}>
                {formatDuration(row.latencyMs)}
              </span>
              <span role="gridcell" className={`${styles['number']} ${styles['optional']}`}>
                {row.tokens === null ? '' : formatCount(row.tokens)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

const NoCalls = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyNote title="No call matches">
      <p>Take a filter away, or look at a longer time.</p>
    </EmptyNote>
  ) : (
    <EmptyNote title="No calls yet">
      <p>
        Each chat through Hone becomes a call, and so does what a tracing SDK sends. Ask a model in the playground, or
        see Home for lines to paste.
      </p>
    </EmptyNote>
  );
