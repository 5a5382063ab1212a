import type { ResultRow } from '../../results.js';

/** As many rows with labels in both runs correct a difference. */
export const LEAST_ROWS = 20;
/** Of a 95 % interval. */
const Z = 1.96;

/** A row that all runs answered. */
export interface PairedRow {
  /** Ids of the predictions, one of each run. */
  readonly predictions: readonly string[];
  /** By how much the judge's verdict on the last run differs from that on the first; null: one of them is not there. */
  readonly difference: number | null;
}

/** The rows that all runs answered. @param metric as the page calls it */
export function pairedRows(rows: readonly ResultRow[], runs: readonly string[], metric: string): readonly PairedRow[] {
  return rows.flatMap(({ cells }) => {
    const found = runs.map((run) => cells.get(run));
    const predictions = found.flatMap((cell) => {
      const trial = cell?.trials.findLast(({ counts, exception }) => counts && exception === null);
      return trial ? [trial.prediction_id] : [];
    });
    if (predictions.length < runs.length) return [];
    const [before, after] = [found[0], found.at(-1)].map((cell) => cell?.metrics.get(metric));
    return [{ predictions, difference: before === undefined || after === undefined ? null : after - before }];
  });
}

/**
 * About how many rows people have to label, so that their mean difference is known within a half-width, if their labels differ
 * as much from row to row as the judge's verdicts do.
 */
export function rowsForWidth(rows: readonly PairedRow[], width: number): number {
  const found = rows.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  if (found.length < 2) return LEAST_ROWS;
  const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
  const variance = found.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (found.length - 1);
  return Math.max(LEAST_ROWS, Math.ceil((Z ** 2 * variance) / width ** 2));
}

/** So many of the list in random order, each with the same chance. @param random 0 included to 1 excluded */
export function drawn<T>(list: readonly T[], count: number, random: () => number): readonly T[] {
  const left = [...list];
  const most = Math.min(count, left.length);
  for (let at = 0; at < most; at++) {
    const from = at + Math.floor(random() * (left.length - at));
    [left[at], left[from]] = [left[from] as T, left[at] as T];
  }
  return left.slice(0, most);
}
