import type { Interval } from './bootstrap.js';
import type { Direction } from './direction.js';
import { meanOf, type ResultRow } from './results.js';
import type { Run } from './runs.js';

/** Where a run stands by a metric. */
export interface Place {
  readonly run: Run;
  /** null: the run does not have the metric. */
  readonly score: Interval | null;
  /** From 1; null: without a score, or neither more nor less of the metric is better. */
  readonly place: number | null;
}

/** Runs by the mean of a metric, the best first, those without one last. */
export function rankingOf(
  runs: readonly Run[],
  rows: readonly ResultRow[],
  metric: string,
  direction: Direction,
): Place[] {
  const sign = direction === 'less' ? 1 : -1;
  const keyOf = (score: Interval | null) => (score === null ? Infinity : sign * score.mean);
  return (
    runs
      .map((run) => ({ run, score: meanOf(rows, run.id, metric) }))
      // Of two without a score the difference is no number.
      .sort((a, b) => keyOf(a.score) - keyOf(b.score) || 0)
      .map(({ run, score }, index) => ({ run, score, place: score && direction !== 'neither' ? index + 1 : null }))
  );
}
