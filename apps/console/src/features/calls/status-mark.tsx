import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import { formatCount } from '../../shared/format/format.js';
import type { CallStatus } from '../../shared/trace/trace-query.js';
import styles from './calls.module.css';

const MARKS = {
  success: { Icon: CircleCheck, label: 'ended well', tone: 'good' },
  error: { Icon: CircleX, label: 'failed', tone: 'bad' },
  descendant_error: { Icon: TriangleAlert, label: '', tone: 'warn' },
  running: { Icon: CircleDashed, label: 'runs', tone: 'muted' },
} as const;

/** `2 errors below`. @param count null: it is not known how many */
export const belowText = (count: number | null): string =>
  count === null ? 'error below' : count === 1 ? '1 error below' : `${formatCount(count)} errors below`;

interface Props {
  readonly status: CallStatus;
  /** Calls below it that failed, where it is known how many. */
  readonly errorsBelow?: number | null;
}

export const StatusMark = memo(function StatusMark({ status, errorsBelow = null }: Props) {
  const { Icon, label: plain, tone } = MARKS[status] ?? MARKS.running;
  const label = status === 'descendant_error' ? belowText(errorsBelow) : plain;
  return (
    <span className={`${styles['mark']} ${styles[tone]}`} title={label}>
      <Icon size={15} aria-label={label} role="img" />
    </span>
  );
});
