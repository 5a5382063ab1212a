import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useRef } from 'react';

import type { Row } from '../../shared/datasets/write-dataset.js';
import { formatCount } from '../../shared/format/format.js';
import { preview } from '../../shared/format/preview.js';
import { useShortcuts } from '../../shared/keyboard/shortcuts.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './datasets.module.css';
import type { Edits } from './edits.js';
import { useRows } from './use-rows.js';

/** Most columns of the table: a row shows the others when it is opened. */
const MAX_COLUMNS = 12;
const ROW_HEIGHT = 32;
const OVERSCAN = 12;
const KEYS = {
  title: 'In the table of rows',
  shortcuts: [
    ['J K ↓ ↑', 'move through the rows, each shown beside the table'],
    ['Esc', 'close the row'],
  ],
} as const;
/** Pixels, as the style sheet has them. */
const [INDEX_WIDTH, CELL_WIDTH, GAP, PADDING] = [72, 150, 12, 16];

/** Keys of the rows, in the order of their first occurrence. */
const columnsOf = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);

interface Props {
  readonly table: string;
  /** Rows of the stored table. */
  readonly count: number;
  readonly edits: Edits;
  /** -1: none. */
  readonly selected: number;
  readonly select: (index: number) => void;
}

/** The rows as a table. Only those that are seen are in the page, and only they are read. */
export function RowTable({ table, count, edits, selected, select }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  useShortcuts(KEYS);
  const total = count + edits.appended.length;
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const rows = useRows(table, items[0]?.index ?? 0, Math.min(count, items.at(-1)?.index ?? 0));
  const heads = useRows(table, 0, 0);
  const columns = columnsOf([
    ...Array.from({ length: 100 }, (_, index) => heads.rowAt(index) ?? {}),
    ...edits.appended.slice(0, 100),
  ]);
  const cells = Math.max(1, columns.length);
  // The same for each row, whatever is in it.
  const template = {
    gridTemplateColumns: `${INDEX_WIDTH}px repeat(${cells}, minmax(${CELL_WIDTH}px, 1fr))`,
    minWidth: INDEX_WIDTH + cells * (CELL_WIDTH + GAP) + 2 * PADDING,
  };
  const rowAt = (index: number): Row | undefined =>
    edits.changed.get(index) ?? (index < count ? rows.rowAt(index) : edits.appended[index - count]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (by === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    if (by === undefined) return select(-1);
    const next = Math.min(total - 1, Math.max(0, selected + by));
    select(next);
    virtual.scrollToIndex(next);
  };
  if (rows.error) return <ErrorNote error={rows.error} retry={rows.retry} />;
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      role="grid"
      aria-label="Rows; J and K move through them"
      aria-rowcount={total}
      tabIndex={0}
      aria-activedescendant={selected < 0 ? undefined : `row-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['head']} role="row" style={template}>
        <span role="columnheader">Row</span>
        {columns.map((column) => (
          <span role="columnheader" key={column} dir="auto" title={column}>
            {column}
          </span>
        ))}
      </div>
      <div
        role="rowgroup"
        className={styles['sizer']}
        style={{ height: virtual.getTotalSize(), minWidth: template.minWidth }}
      >
        {items.map(({ index, start }) => {
          const row = rowAt(index);
          return (
            <div
              key={index}
              id={`row-${index}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 1}
              aria-selected={index === selected}
              className={styles['row']}
              data-edit={editOf(edits, index, count)}
              style={{ ...template, transform: `translateY(${start}px)` }}
              onClick={() => select(index)}
            >
              <span role="gridcell" className={styles['number']}>
                {formatIndex(index)}
              </span>
              {columns.map((column) => (
                <span role="gridcell" key={column} dir="auto">
                  {row === undefined ? '…' : preview(Object.hasOwn(row, column) ? row[column] : '')}
                </span>
              ))}
              {columns.length === 0 && <span role="gridcell">{row === undefined ? '…' : preview(row)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const formatIndex = (index: number): string => (index < 10_000 ? formatCount(index) : String(index));

function editOf({ changed, deleted }: Edits, index: number, count: number): string | undefined {
  if (deleted.has(index)) return 'deleted';
  return changed.has(index) || index >= count ? 'changed' : undefined;
}
