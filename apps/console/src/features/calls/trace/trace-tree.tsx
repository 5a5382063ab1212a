import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { formatDuration } from '../../../shared/format/format.js';
import { useShortcuts } from '../../../shared/keyboard/shortcuts.js';
import { CutText } from '../../../shared/ui/cut-text.js';
import { StatusMark } from '../status-mark.js';
import { nameOf, type Span, type TreeNode, withCallers } from './call-tree.js';
import styles from './trace.module.css';
import { formatModels, formatUsed, type Used } from './trace-usage.js';

const NODE_HEIGHT = 30;
/** In a trace whose nodes have a second line. */
const TALL_NODE_HEIGHT = 42;
const INDENT = 14;
/** Deeper levels are indented no further. */
const MAX_INDENTED_LEVELS = 12;

interface Props {
  readonly nodes: readonly TreeNode[];
  /** By the ids of calls that used a model. */
  readonly used: ReadonlyMap<string, Used>;
  readonly search: string;
  readonly selected: string;
  readonly select: (id: string) => void;
  /** Part of the time that the waterfall shows. */
  readonly span: Span;
  /** Key -> what it does to this part. */
  readonly zoomKeys: Readonly<Record<string, () => void>>;
}

const KEYS = {
  title: 'In the tree of the trace',
  shortcuts: [
    ['J K ↓ ↑', 'move through the calls'],
    ['+ -', 'zoom in, and out'],
    ['F', 'fit the selected call'],
    ['0', 'fit the whole trace'],
  ],
} as const;

/** The calls of a trace as a tree and a waterfall in one, with what each of them used. */
export function TraceTree({ nodes, used, search, selected, select, span, zoomKeys }: Props) {
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => (wanted === '' ? nodes : withCallers(nodes, wanted)), [nodes, wanted]);
  useShortcuts(KEYS);
  const scroll = useRef<HTMLDivElement>(null);
  const height = used.size > 0 ? TALL_NODE_HEIGHT : NODE_HEIGHT;
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 20,
  });
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  // Where one comes from the conversation, the call that was selected there is in sight.
  const [first] = useState(() => found.findIndex(({ row }) => row.id === selected));
  useEffect(() => {
    if (first > 0) virtual.scrollToIndex(first, { align: 'center' });
  }, [virtual, first]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    const zoom = event.ctrlKey || event.metaKey ? undefined : zoomKeys[event.key];
    if (by === undefined && !zoom) return;
    event.preventDefault();
    zoom?.();
    if (by === undefined) return;
    const at = found.findIndex(({ row }) => row.id === selected);
    const next = Math.min(found.length - 1, Math.max(0, at + by));
    select(found[next]?.row.id ?? '');
    virtual.scrollToIndex(next);
  };
  return (
    <div
      ref={scroll}
      className={styles['scroll']}
      role="tree"
      aria-label="Calls of the trace; J and K move through them, plus and minus zoom, F fits the call, 0 fits all"
      tabIndex={0}
      aria-activedescendant={`node-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['sizer']} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const node = found[index] as TreeNode;
          const { id } = node.row;
          return (
            <div
              key={id}
              id={`node-${id}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={node.level + 1}
              aria-selected={id === selected}
              className={styles['node']}
              style={{ height, transform: `translateY(${start}px)` }}
              onClick={() => select(id)}
            >
              <NodeCells node={node} used={used.get(id)} wanted={wanted} span={span} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface CellsProps {
  readonly node: TreeNode;
  readonly used: Used | undefined;
  readonly wanted: string;
  readonly span: Span;
}

function NodeCells({ node, used, wanted, span: [begin, end] }: CellsProps) {
  const { row, level, from, share } = node;
  const name = nameOf(node);
  const toPercent = (part: number) => `${(100 * part) / (end - begin)}%`;
  const isHit = wanted !== '' && name.toLowerCase().includes(wanted);
  return (
    <>
      <span className={styles['name']} style={{ paddingLeft: 10 + INDENT * Math.min(level, MAX_INDENTED_LEVELS) }}>
        <StatusMark status={row.status} />
        <span className={styles['words']}>
          <CutText text={name} className={isHit ? styles['hit'] : undefined} />
          {used && (
            <span className={styles['used']} title={used.models.join(', ')}>
              {formatModels(used)} · {formatUsed(used)}
            </span>
          )}
        </span>
      </span>
      <span className={styles['lane']} aria-hidden>
        <i data-status={row.status} style={{ left: toPercent(from - begin), width: toPercent(share) }} />
      </span>
      <span className={styles['number']}>{formatDuration(row.latencyMs)}</span>
    </>
  );
}
