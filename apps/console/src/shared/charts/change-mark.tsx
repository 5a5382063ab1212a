import type { Change } from './change.js';
import styles from './change-mark.module.css';

interface Props {
  readonly change: Change;
  /** What it is compared with, such as `12`. */
  readonly before: string;
}

/** How a figure compares with that of the time before, behind the figure. */
export const ChangeMark = ({ change, before }: Props) => (
  <span className={styles['change']} data-better={change.isBetter} title={`${before} in the time before, as long`}>
    {change.text}
  </span>
);
