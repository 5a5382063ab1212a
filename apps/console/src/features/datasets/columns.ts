import type { Row } from '../../shared/datasets/write-dataset.js';

/** Columns beyond these are seen when a row is opened. */
const MAX_COLUMNS = 12;

/** Keys of the rows, in the order in which they come first. */
export const columnsOf = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS);
