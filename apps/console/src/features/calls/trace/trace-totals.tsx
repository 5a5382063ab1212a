import type { ReactNode } from 'react';

import { formatCount } from '../../../shared/format/format.js';
import { Button } from '../../../shared/ui/button.js';
import type { TreeNode } from './call-tree.js';
import styles from './trace.module.css';
import { formatModels, formatUsed, type Used } from './trace-usage.js';

interface Props {
  readonly nodes: readonly TreeNode[];
  /** null: nothing, or it is not read yet. */
  readonly used: Used | null;
  readonly selected: string;
  readonly select: (id: string) => void;
}

/** What the trace is in all: its calls, what they used, and how many failed. */
export function TraceTotals({ nodes, used, selected, select }: Props): ReactNode {
  const failed = nodes.filter(({ row }) => row.status === 'error').map(({ row }) => row.id);
  return (
    <>
      <span className={`${styles['muted']} ${styles['total']}`} role="group" aria-label="The trace in all">
        {formatCount(nodes.length)} {nodes.length === 1 ? 'call' : 'calls'}
        {used && (
          <span title={used.models.join(', ')}>
            {' '}
            · {formatUsed(used)} · {formatModels(used)}
          </span>
        )}
      </span>
      {failed.length > 0 && (
        <Button
          title="Select the next call that failed"
          onClick={() => select(failed[(failed.indexOf(selected) + 1) % failed.length] ?? '')}
        >
          {formatCount(failed.length)} failed
        </Button>
      )}
    </>
  );
}
