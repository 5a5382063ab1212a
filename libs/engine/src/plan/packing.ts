/** A sequence, as far as packing is concerned. */
interface Packable {
  readonly ids: readonly number[];
  readonly mask: readonly (0 | 1)[];
}

interface OpenRow<T> {
  readonly sequences: T[];
  /** Tokens that still fit into the row. */
  room: number;
}

/**
 * Puts sequences into as few rows as a simple rule finds: groups by their longest sequence, each sequence into the row
 * with least room left that it fits into. The prefix that a group's sequences share costs its room once in a row.
 *
 * @param groups in canonical order, each with at least one sequence, none longer than `rowLength` (tokens)
 * @param maxSequences of a row
 */
export function pack<T extends Packable>(
  groups: readonly (readonly T[])[],
  rowLength: number,
  maxSequences = Infinity,
): T[][] {
  const rows: OpenRow<T>[] = [];
  for (const group of groups.toSorted((a, b) => longestOf(b) - longestOf(a))) {
    const prefix = sharedPrefix(group);
    const rowsOfGroup = new Set<OpenRow<T>>();
    for (const sequence of group) {
      const costIn = (row: OpenRow<T>) => sequence.ids.length - (rowsOfGroup.has(row) ? prefix : 0);
      const open = rows.filter(({ sequences }) => sequences.length < maxSequences);
      const row = fullestThatFits(open, costIn) ?? openRow(rows, rowLength);
      row.room -= costIn(row);
      row.sequences.push(sequence);
      rowsOfGroup.add(row);
    }
  }
  return rows.map(({ sequences }) => sequences);
}

/** Tokens at the beginning that need computing once for the group: its last one predicts what differs. */
export function sharedPrefix(group: readonly Packable[]): number {
  const first = group[0]?.ids ?? [];
  let shared = first.length;
  for (const { ids, mask } of group) {
    let same = 0;
    while (same < shared && ids[same] === first[same] && mask[same] === 0) same++;
    shared = same;
  }
  return Math.max(0, shared - 1);
}

const longestOf = (group: readonly Packable[]): number =>
  group.reduce((longest, { ids }) => Math.max(longest, ids.length), 0);

function fullestThatFits<T>(rows: readonly OpenRow<T>[], costIn: (row: OpenRow<T>) => number): OpenRow<T> | null {
  let best: OpenRow<T> | null = null;
  for (const row of rows) {
    if (costIn(row) <= row.room && (!best || row.room < best.room)) best = row;
  }
  return best;
}

function openRow<T>(rows: OpenRow<T>[], room: number): OpenRow<T> {
  const row: OpenRow<T> = { sequences: [], room };
  rows.push(row);
  return row;
}
