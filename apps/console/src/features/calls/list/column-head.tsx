import { ArrowDown, ArrowUp } from 'lucide-react';

import { type Column, nextSort, type Sort } from '../columns/columns.js';
import styles from './list.module.css';

/** The classes of a cell of a column. */
export const classOf = ({ kind, from }: Column, ...others: (string | undefined)[]): string =>
  [kind && styles[kind], from && styles[from], ...others].filter(Boolean).join(' ');

interface Props {
  readonly column: Column;
  readonly sort: Sort;
  readonly setSort: (sort: Sort) => void;
}

/** Names a column, and sorts by it where that is possible. */
export function ColumnHead({ column, sort, setSort }: Props) {
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
