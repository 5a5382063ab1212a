import type { Row } from '../../shared/datasets/write-dataset.js';
import { changeRow, countEdits, NO_EDITS, toggleDeleted, toSteps } from './edits.js';

const ROWS: readonly Row[] = ['a', 'b', 'c', 'd'].map((q) => ({ q }));

/** What the interface does with steps: one after the other. */
const applied = (steps: ReturnType<typeof toSteps>) => {
  const rows = [...ROWS];
  for (const step of steps)
    if ('append' in step) rows.push(step.append.row);
    else if ('pop' in step) rows.splice(step.pop.index, 1);
    else rows.splice(step.insert.index, 0, step.insert.row);
  return rows.map(({ q }) => q);
};

describe('edits of a table', () => {
  it('change, delete and append the rows that were meant, whatever else is edited', () => {
    const changed = changeRow(changeRow(NO_EDITS, 0, { q: 'A' }), 3, { q: 'D' });
    const edits = { ...toggleDeleted(toggleDeleted(changed, 1), 3), appended: [{ q: 'e' }] };
    expect(applied(toSteps(edits))).toEqual(['A', 'c', 'e']);
    expect(countEdits(edits)).toBe(5);
  });

  it('are taken back one by one', () => {
    expect(toggleDeleted(toggleDeleted(NO_EDITS, 2), 2)).toEqual(NO_EDITS);
    expect(toSteps(NO_EDITS)).toEqual([]);
  });
});
