import type { QueueStatsDto } from '@hone/client';

import { formatCount } from '../../shared/format/format.js';
import styles from './annotation.module.css';
import { useQueueStatistics } from './use-queue.js';

/** Items that somebody has completed, of all. */
export function Progress({ stats }: { readonly stats: QueueStatsDto | undefined }) {
  if (!stats) return <span className={styles['muted']}>…</span>;
  return <Share label="Completed items" done={stats.completed_items} total={stats.total_items} />;
}

/** Items that the annotator has completed or skipped, of all. */
export function OwnProgress({ queueId }: { readonly queueId: string }) {
  const stats = useQueueStatistics([queueId]).data?.get(queueId);
  return stats ? (
    <Share label="Items that you have done" done={stats.own_items ?? 0} total={stats.total_items} />
  ) : null;
}

interface ShareProps {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

const Share = ({ label, done, total }: ShareProps) => (
  <span className={styles['progress']}>
    <progress max={Math.max(1, total)} value={done} aria-label={label} />
    <span>
      {formatCount(done)} of {formatCount(total)}
    </span>
  </span>
);
