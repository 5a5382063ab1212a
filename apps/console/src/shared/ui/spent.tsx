import { formatCost } from '../format/format.js';
import styles from './ui.module.css';

interface Props {
  /** US dollars. */
  readonly cost: number;
  /** null: no limit. */
  readonly most: number | null;
}

/** What was spent, and of how much. */
export const Spent = ({ cost, most }: Props) => (
  <>
    {formatCost(cost)}
    {most !== null && <span className={styles['of']}> of {formatCost(most)}</span>}
  </>
);
