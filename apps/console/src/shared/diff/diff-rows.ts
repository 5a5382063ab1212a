import { prettyJson } from '../format/preview.js';

/** One line of two texts side by side. null: that side has none here. */
export interface DiffRow {
  readonly left: string | null;
  readonly right: string | null;
  readonly isChanged: boolean;
}

/** A run of lines, as diff libraries give them. */
export interface DiffPart {
  readonly value: string;
  readonly added?: boolean;
  readonly removed?: boolean;
}

/** The text that a value is compared as: a text as it is, else JSON, in which line breaks of texts break lines. */
export const toDiffText = (value: unknown): string =>
  typeof value === 'string' ? value : prettyJson(value).replaceAll('\\n', '\\n\n');

/** Lays runs out side by side: what was removed stands beside what was added in its place. */
export function toDiffRows(parts: readonly DiffPart[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: string[] = [];
  const flush = (added: readonly string[]) => {
    const length = Math.max(removed.length, added.length);
    for (let at = 0; at < length; at++)
      rows.push({ left: removed[at] ?? null, right: added[at] ?? null, isChanged: true });
    removed = [];
  };
  for (const part of parts) {
    const lines = part.value.replace(/\n$/, '').split('\n');
    if (part.removed) {
      flush([]);
      removed = lines;
    } else if (part.added) flush(lines);
    else {
      flush([]);
      rows.push(...lines.map((line) => ({ left: line, right: line, isChanged: false })));
    }
  }
  flush([]);
  return rows;
}
