import { memo } from 'react';

import { shortOpName } from '../../../shared/format/format.js';
import type { Column } from '../columns/columns.js';
import { cellOf, titleOf } from './cell.js';
import { classOf } from './column-head.js';
import type { CallJudgements } from './judgements.js';
import styles from './list.module.css';
import type { ListedCall } from './listed-call.js';

interface Props {
  readonly row: ListedCall;
  readonly judgements: CallJudgements | undefined;
  readonly index: number;
  readonly columns: readonly Column[];
  /** Unix milliseconds. */
  readonly now: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly select: (id: string) => void;
  readonly toggle: (id: string) => void;
}

const MUTED = ['output_preview', 'model', 'end_user'];

/** Rows that stay are not made again while others come. */
export const Row = memo(function Row(props: Props) {
  const { row, judgements, index, columns, now, isOpen, isSelected, select, toggle } = props;
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
          className={classOf(column, MUTED.includes(column.id) ? styles['muted'] : undefined)}
          title={titleOf(row, column, judgements)}
        >
          {cellOf(row, column, judgements, now)}
        </span>
      ))}
    </div>
  );
});
