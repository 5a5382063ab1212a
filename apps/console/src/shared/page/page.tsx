import type { ReactNode } from 'react';

import styles from './page.module.css';

interface Props {
  readonly title: ReactNode;
  /** Where the page belongs, as a link before its title. */
  readonly back?: ReactNode;
  /** Filters and buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: a bar with its title and actions, which stays, and its content, which scrolls. */
export const Page = ({ title, back, actions, children }: Props) => (
  <div className={styles['page']}>
    <div className={styles['bar']}>
      {back !== undefined && <span className={styles['back']}>{back}</span>}
      <h1>{title}</h1>
      {actions}
    </div>
    <div className={styles['content']}>{children}</div>
  </div>
);
