import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';

import { useProject } from '../../../shared/data/project.js';
import { useNow } from '../../../shared/format/use-now.js';
import { useShortcuts } from '../../../shared/keyboard/shortcuts.js';
import type { Selection } from '../bulk/selection.js';
import type { Column, Sort } from '../columns/columns.js';
import { ColumnHead } from './column-head.js';
import { layoutOf } from './layout.js';
import styles from './list.module.css';
import type { ListedCall } from './listed-call.js';
import { Row } from './row.js';
import { useRowFeedback } from './use-row-feedback.js';

const ROW_HEIGHT = 32;
const OVERSCAN = 12;
const KEYS = {
  title: 'In the list of calls',
  shortcuts: [
    ['J K ↓ ↑', 'move through the calls, each shown beside the list'],
    ['X', 'select the call, to delete, add or export it with others'],
    ['Esc', 'close the call'],
  ],
} as const;

interface Props {
  readonly rows: readonly ListedCall[];
  readonly columns: readonly Column[];
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
  readonly selection: Selection;
  readonly selected: string;
  readonly select: (id: string) => void;
  readonly hasMore: boolean;
  readonly more: () => void;
  /** The rows are those of before, while others are read. */
  readonly isBusy: boolean;
}

/** Only the rows that are seen are in the page, however long the list is. */
export function CallList({ rows, columns, sort, setSort, selection, selected, select, hasMore, more, isBusy }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  useShortcuts(KEYS);
  const project = useProject();
  const now = useNow();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isJudged = columns.some(({ id }) => id === 'feedback');
  const judgements = useRowFeedback(project.id, rows, [items[0]?.index ?? 0, last], isJudged && !isBusy);
  useEffect(() => {
    if (hasMore && last >= rows.length - 2 * OVERSCAN) more();
  }, [hasMore, last, more, rows]);
  useEffect(() => {
    if (!isBusy) scroll.current?.scrollTo({ top: 0 });
  }, [isBusy]);
  const at = useMemo(() => rows.findIndex(({ id }) => id === selected), [rows, selected]);
  const move = (by: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, at + by));
    select(rows[next]?.id ?? '');
    virtual.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The heads of columns are buttons of their own.
    if (event.target !== event.currentTarget && event.target instanceof HTMLButtonElement) return;
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
      style={layoutOf(columns)}
      role="grid"
      aria-label="Calls; J and K move through them, X selects"
      aria-busy={isBusy}
      aria-rowcount={hasMore ? -1 : rows.length}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `call-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['head']} role="row">
        <span role="columnheader" aria-label="Selected" />
        {columns.map((column) => (
          <ColumnHead key={column.id} column={column} sort={sort} setSort={setSort} />
        ))}
      </div>
      <div role="rowgroup" className={styles['sizer']} style={{ height: virtual.getTotalSize() }}>
        <div role="presentation" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index }, place) => {
            const row = rows[index] as ListedCall;
            return (
              <Row
                // A row that scrolls away lends its elements to the one that comes: to make others takes most of a frame.
                key={place}
                {...{ row, index, columns, now, select }}
                judgements={judgements.get(row.id)}
                isOpen={row.id === selected}
                isSelected={selection.ids.has(row.id)}
                toggle={selection.toggle}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
