import { CircleCheck, CircleDashed, CircleX, TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import type { CallStatus } from './call-row.js';
import styles from './calls.module.css';

const MARKS = {
  success: { Icon: CircleCheck, label: 'ended well', tone: 'good' },
  error: { Icon: CircleX, label: 'failed', tone: 'bad' },
  descendant_error: { Icon: TriangleAlert, label: 'error below', tone: 'warn' },
  running: { Icon: CircleDashed, label: 'runs', tone: 'muted' },
} as const;

export const StatusMark = memo(function StatusMark({ status }: { readonly status: CallStatus }) {
  const { Icon, label, tone } = MARKS[status] ?? MARKS.running;
  return (
    <span className={styles[tone]} title={label}>
      <Icon size={15} aria-label={label} role="img" />
    </span>
  );
});
