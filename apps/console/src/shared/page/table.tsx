import type { ReactNode } from 'react';

import styles from './table.module.css';

interface Props {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly children: ReactNode;
}

export interface TableColumn {
  readonly name: string;
  /**
   * `number`: right-aligned; `wide`: takes what is left; `optional`: left out where the page is narrow; `short`: there no
   * wider than its longest word.
   */
  readonly kind?: 'number' | 'wide' | 'optional' | 'optional number' | 'short';
  /** Names the column for those who do not see it, where its head would be empty. */
  readonly isHidden?: boolean;
}

/** A table that scrolls sideways by itself where the page is too narrow for it. */
export const Table = ({ label, columns, children }: Props) => (
  <div className={styles['scroll']} role="region" aria-label={label} tabIndex={0}>
    <table className={styles['table']}>
      <thead>
        <tr>
          {columns.map(({ name, kind, isHidden }) => (
            <th key={name} scope="col" data-kind={kind}>
              {isHidden ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
