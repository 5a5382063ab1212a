import type { CallRow } from './call-row.js';

/** A call in its trace. */
export interface TreeNode {
  readonly row: CallRow;
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
export function toTree(rows: readonly CallRow[]): readonly TreeNode[] {
  const ordered = [...rows].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const known = new Set(rows.map(({ id }) => id));
  const children = new Map<string, CallRow[]>();
  const childrenOf = (id: string) => children.get(id) ?? children.set(id, []).get(id) ?? [];
  const roots: CallRow[] = [];
  for (const row of ordered) {
    if (row.parentId === null || !known.has(row.parentId)) roots.push(row);
    else childrenOf(row.parentId).push(row);
  }
  const [begin, length] = spanOf(rows);
  const nodes: TreeNode[] = [];
  const seen = new Set<string>();
  const walk = (first: CallRow) => {
    // A stack of its own: traces may be deeper than that of the language.
    const stack = [{ row: first, level: 0 }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { row, level } = next;
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      const from = (Date.parse(row.startedAt) - begin) / length;
      nodes.push({ row, level, from, share: Math.min(1 - from, (row.latencyMs ?? length) / length) });
      for (const child of (children.get(row.id) ?? []).toReversed()) stack.push({ row: child, level: level + 1 });
    }
  };
  roots.forEach(walk);
  for (const row of ordered) if (!seen.has(row.id)) walk(row);
  return nodes;
}

function spanOf(rows: readonly CallRow[]): [begin: number, length: number] {
  let begin = Infinity;
  let end = -Infinity;
  for (const { startedAt, endedAt } of rows) {
    begin = Math.min(begin, Date.parse(startedAt));
    end = Math.max(end, Date.parse(endedAt ?? startedAt));
  }
  return [begin, Math.max(1, end - begin)];
}
