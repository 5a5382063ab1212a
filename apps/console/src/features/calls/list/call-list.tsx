import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';

import { formatAge, formatCount, formatDuration, formatTime, shortOpName } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import type { Selection } from './bulk/selection.js';
import type { CallRow } from './call-row.js';
import styles from './calls.module.css';
import { type Column, nextSort, type Sort } from './columns/columns.js';
import { StatusMark } from './status-mark.js';

const ROW_HEIGHT = 34;
const OVERSCAN = 12;
/** Of the box to select by, and of what stands between columns and at their ends. */
const [SELECT_PX, GAP_PX, ENDS_PX] = [24, 8, 32];

interface Props {
  readonly rows: readonly CallRow[];
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
            const row = rows[index] as CallRow;
            return (
              <Row
                // A row that scrolls away lends its elements to the one that comes: to make others takes most of a frame.
                key={place}
                {...{ row, index, columns, now, select }}
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

/** The widths of columns, with those that say least, and without them where the list is narrow. */
function layoutOf(columns: readonly Column[]): CSSProperties {
  const layout = (shown: readonly Column[]) => ({
    template: [`${SELECT_PX}px`, ...shown.map(({ width }) => width)].join(' '),
    width: `${shown.reduce((sum, { minPx }) => sum + minPx + GAP_PX, SELECT_PX + ENDS_PX)}px`,
  });
  const least = columns
    .filter(({ isOptional }) => !isOptional)
    .map((column) =>
      column.narrowPx === undefined
        ? column
        : { ...column, minPx: column.narrowPx, width: `minmax(${column.narrowPx}px, 2fr)` },
    );
  const [wide, narrow] = [layout(columns), layout(least)];
  return {
    ...{ '--wide': wide.template, '--wide-width': wide.width },
    ...{ '--narrow': narrow.template, '--narrow-width': narrow.width },
  } as CSSProperties;
}

const classOf = ({ kind, isOptional }: Column, ...others: (string | undefined)[]): string =>
  [kind && styles[kind], isOptional && styles['optional'], ...others].filter(Boolean).join(' ');

interface HeadProps {
  readonly column: Column;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
}

function ColumnHead({ column, sort, setSort }: HeadProps) {
  const isSorted = sort.id === column.id;
  const Arrow = sort.direction === 'desc' ? ArrowDown : ArrowUp;
  if (column.sortField === null)
    return (
      <span role="columnheader" className={classOf(column)} title={column.label}>
        {column.id === 'status' ? <span className="visually-hidden">{column.label}</span> : column.label}
      </span>
    );
  return (
    <span
      role="columnheader"
      className={classOf(column)}
      aria-sort={isSorted ? (sort.direction === 'desc' ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title={`Sort by ${column.label}`} onClick={() => setSort(nextSort(sort, column))}>
        {isSorted && <Arrow size={12} aria-hidden />}
        <span>{column.label}</span>
      </button>
    </span>
  );
}

interface RowProps {
  readonly row: CallRow;
  readonly index: number;
  readonly columns: readonly Column[];
  /** Unix milliseconds. */
  readonly now: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly select: (id: string) => void;
  readonly toggle: (id: string) => void;
}

/** Rows that stay are not made again while others come. */
const Row = memo(function Row({ row, index, columns, now, isOpen, isSelected, select, toggle }: RowProps) {
  return (
    <div
      id={`call-${row.id}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-selected={isOpen}
      className={styles['row']}
      onClick={() => select(row.id)}
    >
      <span role="gridcell">
        <input
          type="checkbox"
          className={styles['select']}
          // The grid has the focus; X selects.
          tabIndex={-1}
          aria-label={`Select ${row.displayName ?? shortOpName(row.opName)}`}
          checked={isSelected}
          onClick={(event) => {
            event.stopPropagation();
            event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
          }}
          onChange={() => toggle(row.id)}
        />
      </span>
      {columns.map((column) => (
        <span
          key={column.id}
          role="gridcell"
          className={classOf(column, column.id === 'model' ? styles['muted'] : undefined)}
          title={column.id === 'started_at' ? formatTime(row.startedAt) : undefined}
        >
          {cellOf(row, column, now)}
        </span>
      ))}
    </div>
  );
});

function cellOf(row: CallRow, { id, field }: Column, now: number): ReactNode {
  switch (id) {
    case 'status':
      return <StatusMark status={row.status} />;
    case 'name':
      return row.displayName ?? shortOpName(row.opName);
    case 'model':
      return row.models.join(', ');
    case 'started_at':
      return formatAge(row.startedAt, now);
    case 'latency_ms':
      return formatDuration(row.latencyMs);
    case 'tokens':
      return row.tokens === null ? '' : formatCount(row.tokens);
    default:
      return row.cells[field ?? ''];
  }
}
