import type { TreeRow } from '../trace/trace-query.js';

/**
 * Those of the calls within which no other of them is, by their start: an agent's own call repeats the messages of the
 * calls that it makes. One that runs is left out until its answer is there.
 *
 * @param candidates ids of calls that may have messages
 */
export function innermostOf(rows: readonly TreeRow[], candidates: ReadonlySet<string>): readonly string[] {
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]));
  const outer = new Set<string>();
  for (const id of candidates) {
    // Above one that is marked, all are.
    for (let at = parents.get(id) ?? null; at !== null && !outer.has(at); at = parents.get(at) ?? null) outer.add(at);
  }
  return rows
    .filter(({ id, latencyMs }) => candidates.has(id) && !outer.has(id) && latencyMs !== null)
    .sort((a, b) => a.beganMs - b.beganMs)
    .map(({ id }) => id);
}
