import { titleOf, type TreeRow } from '../../../shared/trace/trace-query.js';

/** A call in its trace. */
export interface TreeNode {
  readonly row: TreeRow;
  /** 0: nobody in the trace called it. */
  readonly level: number;
  /** Where it lies in the time of the trace, as shares of it, 0 to 1. */
  readonly from: number;
  readonly share: number;
}

/**
 * The calls of a trace in the order of a tree: each before those that it made, siblings by their start. Calls whose
 * caller is not there are roots; a circle of callers, which only a broken client writes, is cut at its first call.
 */
export function toTree(rows: readonly TreeRow[]): readonly TreeNode[] {
  const ordered = [...rows].sort((a, b) => a.beganMs - b.beganMs);
  const known = new Set(rows.map(({ id }) => id));
  const children = new Map<string, TreeRow[]>();
  const childrenOf = (id: string) => children.get(id) ?? children.set(id, []).get(id) ?? [];
  const roots: TreeRow[] = [];
  for (const row of ordered) {
    if (row.parentId === null || !known.has(row.parentId)) roots.push(row);
    else childrenOf(row.parentId).push(row);
  }
  const [begin, length] = spanOf(rows);
  const nodes: TreeNode[] = [];
  const seen = new Set<string>();
  const walk = (first: TreeRow) => {
    // A stack of its own: traces may be deeper than that of the language.
    const stack = [{ row: first, level: 0 }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { row, level } = next;
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      const from = (row.beganMs - begin) / length;
      nodes.push({ row, level, from, share: Math.min(1 - from, (row.latencyMs ?? length) / length) });
      for (const child of (children.get(row.id) ?? []).toReversed()) stack.push({ row: child, level: level + 1 });
    }
  };
  roots.forEach(walk);
  for (const row of ordered) if (!seen.has(row.id)) walk(row);
  return nodes;
}

function spanOf(rows: readonly TreeRow[]): [begin: number, length: number] {
  let begin = Infinity;
  let end = -Infinity;
  for (const { beganMs, latencyMs } of rows) {
    begin = Math.min(begin, beganMs);
    end = Math.max(end, beganMs + (latencyMs ?? 0));
  }
  return [begin, Math.max(1, end - begin)];
}

/** The calls before and after one that the same call made, by their start; null: there is none. */
export function siblingsOf(nodes: readonly TreeNode[], id: string): { before: TreeRow | null; after: TreeRow | null } {
  const own = nodes.find(({ row }) => row.id === id);
  const beside = nodes.filter(
    ({ row, level }) => level === own?.level && (level === 0 || row.parentId === own.row.parentId),
  );
  const at = beside.findIndex(({ row }) => row.id === id);
  return { before: beside[at - 1]?.row ?? null, after: (at < 0 ? undefined : beside[at + 1])?.row ?? null };
}

/** A part of the time of a trace, as shares of it, 0 to 1. */
export type Span = readonly [from: number, to: number];

export const WHOLE: Span = [0, 1];
/** Less than a millionth of a trace cannot be told apart. */
const LEAST_SPAN = 1e-6;
/** What one step of zooming does. */
export const ZOOM_FACTOR = 2;
/** Beside a call that fills the box there is some air. */
const AIR = 0.05;

/** The span as the address keeps it, and back; all of it where there is none. */
export function parseSpan(text: string): Span {
  const [from = NaN, to = NaN] = text.split('-').map(Number);
  return from >= 0 && to <= 1 && to - from >= LEAST_SPAN ? [from, to] : WHOLE;
}

export const formatSpan = ([from, to]: Span): string =>
  from <= 0 && to >= 1 ? '' : `${from.toFixed(7)}-${to.toFixed(7)}`;

/** The span in which a call fills the box. */
export const spanAround = ({ from, share }: TreeNode): Span => within([from - AIR * share, from + (1 + AIR) * share]);

/** A longer or shorter span around the same middle. @param factor below 1: nearer */
export function zoomed([from, to]: Span, factor: number): Span {
  const middle = (from + to) / 2;
  const half = (factor * (to - from)) / 2;
  return within([middle - half, middle + half]);
}

function within([from, to]: Span): Span {
  const length = Math.min(1, Math.max(LEAST_SPAN, to - from));
  const begin = Math.min(1 - length, Math.max(0, from));
  return [begin, begin + length];
}

export const nameOf = ({ row }: TreeNode): string => titleOf(row);

/** The nodes whose name has the text, and all that lead to them. @param text in lower case */
export function withCallers(nodes: readonly TreeNode[], text: string): readonly TreeNode[] {
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
