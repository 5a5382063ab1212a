import { useProject } from '../../../shared/data/project.js';
import { exactSpan } from '../../../shared/time-span/time-span.js';
import { Button } from '../../../shared/ui/button.js';
import type { CallsView } from '../calls-filter.js';
import { Histogram } from './histogram.js';
import styles from './histogram.module.css';
import { useHistogram } from './use-histogram.js';

interface Props {
  readonly view: CallsView | null;
  /** Takes the name of a span of time. */
  readonly setRange: (range: string) => void;
}

/** The calls of the list over time, above it. The list is there though they cannot be counted. */
export function CallsOverTime({ view, setRange }: Props) {
  const project = useProject();
  const histogram = useHistogram(project.id, view);
  if (histogram.error)
    return (
      <p className={styles['note']} role="status">
        These calls cannot be counted over time: {histogram.error.message}. A shorter time or fewer conditions may help.{' '}
        <Button onClick={() => void histogram.refetch()}>Retry</Button>
      </p>
    );
  const counts = histogram.data;
  if (!counts || counts.times.length === 0) return null;
  return <Histogram counts={counts} choose={(start, end) => setRange(exactSpan(start, end))} />;
}
