import type { ResultRow } from '../../results.js';

/** A row that all runs answered. */
export interface PairedRow {
  /** Ids of the predictions, one of each run. */
  readonly predictions: readonly string[];
}

/** The rows that all runs answered. */
export function pairedRows(rows: readonly ResultRow[], runs: readonly string[]): readonly PairedRow[] {
  return rows.flatMap(({ cells }) => {
    const predictions = runs.flatMap((run) => {
      const trial = cells.get(run)?.trials.findLast(({ counts, exception }) => counts && exception === null);
      return trial ? [trial.prediction_id] : [];
    });
    return predictions.length < runs.length ? [] : [{ predictions }];
  });
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
