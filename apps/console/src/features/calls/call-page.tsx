import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount, formatDuration, shortOpName } from '../../shared/format/format.js';
import { Input } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { CallDetail } from './call-detail.js';
import { ROW_COLUMNS, toCallRow } from './call-row.js';
import { toTree, type TreeNode } from './call-tree.js';
import styles from './calls.module.css';
import { StatusMark } from './status-mark.js';

const POLL_MS = 2_000;
const NODE_HEIGHT = 30;
const INDENT = 14;
/** Deeper levels are indented no further. */
const MAX_INDENTED_LEVELS = 12;

/** The whole trace of a call as a tree and a waterfall in one, and the selected call beside it. */
export default function CallPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [selected, select] = useSearchState('call');
  const trace = useQuery({
    queryKey: ['trace', project.id, id],
    queryFn: async ({ signal }) => {
      const { call } = await hone.trace.readCall({ project_id: project.id, id }, { signal });
      if (call === null) return null;
      const rows = [];
      const query = {
        ...{ project_id: project.id, columns: ROW_COLUMNS },
        filter: { trace_ids: [call.trace_id as string] },
      };
      for await (const one of hone.trace.queryCalls(query, { signal })) rows.push(toCallRow(one));
      return rows;
    },
    refetchInterval: ({ state }) => (state.data?.every(({ endedAt }) => endedAt !== null) ? false : POLL_MS),
  });
  const nodes = useMemo(() => (trace.data ? toTree(trace.data) : []), [trace.data]);
  const [search, setSearch] = useState('');
  if (trace.error) return <ErrorNote error={trace.error} retry={() => void trace.refetch()} />;
  if (trace.data === undefined) return <Loading what="the trace" />;
  if (trace.data === null) return <EmptyNote title="There is no such call" />;
  return (
    <div className={styles['trace']}>
      <div className={styles['bar']}>
        <Link to={project.path('calls')}>Calls</Link>
        <h1>Trace</h1>
        <span className={styles['muted']}>
          {formatCount(nodes.length)} {nodes.length === 1 ? 'call' : 'calls'}
        </span>
        <Input
          type="search"
          aria-label="Find a call by name"
          placeholder="Find"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <Tree nodes={nodes} search={search} selected={selected || id} select={select} />
      <div className={styles['peek']}>
        <CallDetail id={selected || id} />
      </div>
    </div>
  );
}

interface TreeProps {
  readonly nodes: readonly TreeNode[];
  readonly search: string;
  readonly selected: string;
  readonly select: (id: string) => void;
}

const nameOf = ({ row }: TreeNode): string => row.displayName ?? shortOpName(row.opName);

function Tree({ nodes, search, selected, select }: TreeProps) {
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => (wanted === '' ? nodes : withCallers(nodes, wanted)), [nodes, wanted]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => NODE_HEIGHT,
    overscan: 20,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
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
      aria-label="Calls of the trace; J and K move through them"
      tabIndex={0}
      aria-activedescendant={`node-${selected}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles['sizer']} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const node = found[index] as TreeNode;
          const { row, level, from, share } = node;
          const isHit = wanted !== '' && nameOf(node).toLowerCase().includes(wanted);
          return (
            <div
              key={row.id}
              id={`node-${row.id}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={level + 1}
              aria-selected={row.id === selected}
              className={styles['node']}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => select(row.id)}
            >
              <span
                className={styles['name']}
                style={{ paddingLeft: 10 + INDENT * Math.min(level, MAX_INDENTED_LEVELS) }}
              >
                <StatusMark status={row.status} />
                <span className={isHit ? styles['hit'] : ''}>{nameOf(node)}</span>
              </span>
              <span className={styles['lane']} aria-hidden>
                <i data-failed={row.status === 'error'} style={{ left: `${100 * from}%`, width: `${100 * share}%` }} />
              </span>
              <span className={styles['number']}>{formatDuration(row.latencyMs)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The nodes whose name has the text, and all that lead to them. */
function withCallers(nodes: readonly TreeNode[], text: string): readonly TreeNode[] {
  const kept: TreeNode[] = [];
  let needed = -1;
  // From the last to the first: what stands before a kept node at a lower level is its caller.
  for (const node of nodes.toReversed()) {
    if (!nameOf(node).toLowerCase().includes(text) && node.level !== needed) continue;
    kept.push(node);
    needed = node.level - 1;
  }
  return kept.reverse();
}
