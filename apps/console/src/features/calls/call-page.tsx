import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { formatCount, formatDuration, shortOpName } from '../../shared/format/format.js';
import { Page } from '../../shared/page/page.js';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { EmptyNote, Loading } from '../../shared/ui/notes.js';
import { CallDetail } from './call-detail.js';
import {
  formatSpan,
  parseSpan,
  siblingsOf,
  type Span,
  spanAround,
  toTree,
  type TreeNode,
  WHOLE,
  ZOOM_FACTOR,
  zoomed,
} from './call-tree.js';
import styles from './calls.module.css';
import { StatusMark } from './status-mark.js';
import { traceQuery, type TreeRow } from './trace-query.js';
import { ZoomButtons } from './zoom-buttons.js';

const TITLE = 'Trace';
const NODE_HEIGHT = 30;
const INDENT = 14;
/** Deeper levels are indented no further. */
const MAX_INDENTED_LEVELS = 12;

/** The whole trace of a call as a tree and a waterfall in one, and the selected call beside it. */
export default function CallPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [selected, select] = useSearchState('call');
  const trace = useQuery(traceQuery(project.id, id));
  const nodes = useMemo(() => (trace.data ? toTree(trace.data) : []), [trace.data]);
  const [search, setSearch] = useState('');
  const [zoom, setZoom] = useSearchState('zoom');
  const span = useMemo(() => parseSpan(zoom), [zoom]);
  const shown = selected || id;
  const siblings = useMemo(() => siblingsOf(nodes, shown), [nodes, shown]);
  const setSpan = (to: Span) => setZoom(formatSpan(to));
  const fitSelected = () => {
    const node = nodes.find(({ row }) => row.id === shown);
    if (node) setSpan(spanAround(node));
  };
  const back = <Link to={project.path('calls')}>Calls</Link>;
  if (trace.error)
    return (
      <PendingPage title={TITLE} what="the trace" error={trace.error} back={back} retry={() => void trace.refetch()} />
    );
  if (trace.data === null)
    return (
      <Page title={TITLE} back={back}>
        <EmptyNote title="There is no such call" />
      </Page>
    );
  return (
    <div className={styles['trace']}>
      <div className={styles['bar']}>
        {back}
        <h1>{TITLE}</h1>
        {trace.data && (
          <span className={styles['muted']}>
            {formatCount(nodes.length)} {nodes.length === 1 ? 'call' : 'calls'}
          </span>
        )}
        <Input
          type="search"
          aria-label="Find a call by name"
          placeholder="Find"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ZoomButtons span={span} setSpan={setSpan} fitSelected={fitSelected} />
      </div>
      {trace.data ? (
        <Tree
          nodes={nodes}
          search={search}
          selected={shown}
          select={select}
          span={span}
          zoomKeys={{
            '+': () => setSpan(zoomed(span, 1 / ZOOM_FACTOR)),
            '-': () => setSpan(zoomed(span, ZOOM_FACTOR)),
            0: () => setSpan(WHOLE),
            f: fitSelected,
          }}
        />
      ) : (
        <Loading what="the trace" />
      )}
      <div className={styles['peek']}>
        <CallDetail id={shown}>
          {(siblings.before ?? siblings.after) !== null && (
            <nav className={styles['siblings']} aria-label="Siblings">
              <Sibling label="Previous sibling" row={siblings.before} select={select} />
              <Sibling label="Next sibling" row={siblings.after} select={select} />
            </nav>
          )}
        </CallDetail>
      </div>
    </div>
  );
}

interface SiblingProps {
  readonly label: string;
  readonly row: TreeRow | null;
  readonly select: (id: string) => void;
}

const Sibling = ({ label, row, select }: SiblingProps) => (
  <Button disabled={row === null} title={row ? titleOf(row) : undefined} onClick={() => select(row?.id ?? '')}>
    {label}
  </Button>
);

interface TreeProps {
  readonly nodes: readonly TreeNode[];
  readonly search: string;
  readonly selected: string;
  readonly select: (id: string) => void;
  /** Part of the time that the waterfall shows. */
  readonly span: Span;
  /** Key -> what it does to this part. */
  readonly zoomKeys: Readonly<Record<string, () => void>>;
}

const titleOf = ({ displayName, opName }: TreeRow): string => displayName ?? shortOpName(opName);
const nameOf = ({ row }: TreeNode): string => titleOf(row);

function Tree({ nodes, search, selected, select, span: [begin, end], zoomKeys }: TreeProps) {
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const found = useMemo(() => (wanted === '' ? nodes : withCallers(nodes, wanted)), [nodes, wanted]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => NODE_HEIGHT,
    overscan: 20,
  });
  const toPercent = (share: number) => `${(100 * share) / (end - begin)}%`;
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
                <i
                  data-failed={row.status === 'error'}
                  style={{ left: toPercent(from - begin), width: toPercent(share) }}
                />
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
