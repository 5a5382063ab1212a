import { DEFAULT_LEVEL } from '../data/interval.js';
import type { BootstrapOptions } from './bca.js';
import { comparePairs, type PairedComparison } from './compare-pairs.js';
import { holmAdjust } from './holm.js';
import { type NonInferiority, nonInferiority } from './non-inferiority.js';

/** Fewest pairs of which a signed-rank test can find a difference at 5 %; `mlflow.genai` 3.18 has the same limit. */
export const MIN_PAIRS = 6;

/** One metric of a table of runs and rows. */
export interface TableMetric {
  readonly name: string;
  /** Run -> row -> value. Null: the run has none for the row. The first run is the baseline; all have as many rows. */
  readonly values: readonly (readonly (number | null)[])[];
  /** False for cost, latency, length. */
  readonly higherIsBetter: boolean;
  /** Largest loss that is accepted, >= 0, in the metric's unit. Null: non-inferiority is not tested. */
  readonly margin: number | null;
}

/** A metric of a candidate beside the baseline, over the rows that have a value in both. */
export interface TableComparison {
  readonly metric: string;
  /** Index of the candidate among the runs, 1 or more. */
  readonly run: number;
  /** Values of the pairs, the first row first. */
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
  /** Null: there are fewer than `MIN_PAIRS` pairs. */
  readonly comparison: PairedComparison | null;
  /** The comparison's p-value, adjusted by `holmAdjust` over all comparisons of the table. Null: there is none. */
  readonly adjustedPValue: number | null;
  /** Null: there are too few pairs, or the metric has no margin. */
  readonly nonInferiority: NonInferiority | null;
}

/** How a table is compared. */
export type TableOptions = BootstrapOptions;

/**
 * Compares each metric of each candidate with the baseline, as `mlflow.genai.compare_evaluations` of MLflow 3.18 does for
 * one candidate: over the rows that have a value in both runs, by `comparePairs`. P-values are adjusted over all metrics
 * and candidates, which MLflow leaves to the reader.
 *
 * @returns the first candidate's metrics first, in the order of the table
 * @throws RangeError as `comparePairs` and `nonInferiority`, or runs of a metric differ in their number of rows
 */
export function compareTable(metrics: readonly TableMetric[], options: TableOptions = {}): TableComparison[] {
  const runs = Math.max(0, ...metrics.map(({ values }) => values.length));
  const compared = Array.from({ length: Math.max(0, runs - 1) }, (_none, at) => at + 1).flatMap((run) =>
    metrics.map((metric) => compareMetric(metric, run, options)),
  );
  return adjustComparisons(compared);
}

/** Adjusts p-values over what was compared in several tables: see `TableComparison`. */
export function adjustComparisons(compared: readonly TableComparison[]): TableComparison[] {
  const tested = compared.flatMap(({ comparison }) => comparison?.pValue ?? []);
  const adjusted = holmAdjust(tested);
  let next = 0;
  return compared.map((one) => ({ ...one, adjustedPValue: one.comparison && (adjusted[next++] as number) }));
}

function compareMetric(metric: TableMetric, run: number, options: TableOptions): TableComparison {
  const { name, values, higherIsBetter, margin } = metric;
  const { baseline, candidate } = pairsOf(values[0] ?? [], values[run] ?? []);
  const isEnough = baseline.length >= MIN_PAIRS;
  const differences = candidate.map((value, at) => value - (baseline[at] as number));
  return {
    ...{ metric: name, run, baseline, candidate, adjustedPValue: null },
    comparison: isEnough ? comparePairs(baseline, candidate, { ...options, higherIsBetter }) : null,
    nonInferiority:
      isEnough && margin !== null
        ? nonInferiority(differences, margin, higherIsBetter, options.level ?? DEFAULT_LEVEL)
        : null,
  };
}

function pairsOf(a: readonly (number | null)[], b: readonly (number | null)[]) {
  if (a.length !== b.length) throw new RangeError(`runs must have as many rows, got ${a.length} and ${b.length}`);
  const rows = a.flatMap((value, at) => (value === null || b[at] === null ? [] : at));
  return { baseline: rows.map((at) => a[at] as number), candidate: rows.map((at) => b[at] as number) };
}
