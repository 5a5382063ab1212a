import type { Row, TableStep } from '../../shared/datasets/write-dataset.js';

/** Changes to a table that are not stored yet. Indices are those of the stored table. */
export interface Edits {
  readonly changed: ReadonlyMap<number, Row>;
  readonly deleted: ReadonlySet<number>;
  readonly appended: readonly Row[];
}

export const NO_EDITS: Edits = { changed: new Map(), deleted: new Set(), appended: [] };

export const countEdits = ({ changed, deleted, appended }: Edits): number =>
  changed.size + deleted.size + appended.length;

/** The steps that make the edits: from the last row to the first, so that no step moves the rows of another one. */
export function toSteps({ changed, deleted, appended }: Edits): TableStep[] {
  const indices = [...new Set([...changed.keys(), ...deleted])].sort((a, b) => b - a);
  const within = indices.flatMap((index): TableStep[] => {
    const row = deleted.has(index) ? undefined : changed.get(index);
    return row === undefined ? [{ pop: { index } }] : [{ pop: { index } }, { insert: { index, row } }];
  });
  return [...within, ...appended.map((row): TableStep => ({ append: { row } }))];
}

export function changeRow(edits: Edits, index: number, row: Row): Edits {
  return { ...edits, changed: new Map(edits.changed).set(index, row) };
}

export function toggleDeleted(edits: Edits, index: number): Edits {
  const deleted = new Set(edits.deleted);
  if (!deleted.delete(index)) deleted.add(index);
  return { ...edits, deleted };
}
