import type { QueueStatsDto } from '@hone/client';

import { formatCount } from '../../shared/format/format.js';
import styles from './annotation.module.css';

/** Items that somebody has completed, of all. */
export function Progress({ stats }: { readonly stats: QueueStatsDto | undefined }) {
  if (!stats) return <span className={styles['muted']}>…</span>;
  const { completed_items: done, total_items: total } = stats;
  return (
    <span className={styles['progress']}>
      <progress max={Math.max(1, total)} value={done} aria-label="Completed items" />
      <span>
        {formatCount(done)} of {formatCount(total)}
      </span>
    </span>
  );
}
