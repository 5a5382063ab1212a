import { DEFAULT_LEVEL } from '../data/interval.js';
import { momentsOf } from '../data/moments.js';
import { MIN_LABELS } from '../means/estimate-mean.js';
import { type PpiDifference, ppiDifference } from '../means/ppi-difference.js';
import type { BootstrapOptions } from './bca.js';
import { comparePairs, type PairedComparison } from './compare-pairs.js';
import { holmAdjust } from './holm.js';
import { correctedNonInferiority, type NonInferiority, nonInferiority } from './non-inferiority.js';

/** Fewest pairs of which a signed-rank test can find a difference at 5 %; `mlflow.genai` 3.18 has the same limit. */
export const MIN_PAIRS = 6;

/** One metric of a table of runs and rows. */
export interface TableMetric {
  readonly name: string;
  /** Run -> row -> value. Null: the run has none for the row. The first run is the baseline; all have as many rows. */
  readonly values: readonly (readonly (number | null)[])[];
  /** People's labels of the same criterion, in the form of the values. Null: there are none. */
  readonly labels: readonly (readonly (number | null)[])[] | null;
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
  /** People's labels of the pairs. Null: a row has none. */
  readonly baselineLabels: readonly (number | null)[];
  readonly candidateLabels: readonly (number | null)[];
  /** Null: there are fewer than `MIN_PAIRS` pairs. */
  readonly comparison: PairedComparison | null;
  /** The difference with the judge's errors corrected. Null: fewer than `MIN_LABELS` pairs have labels in both runs. */
  readonly corrected: PpiDifference | null;
  /** Of the corrected difference, else of the comparison. Null: there is neither. */
  readonly pValue: number | null;
  /** The same, adjusted by `holmAdjust` over all comparisons of the table. */
  readonly adjustedPValue: number | null;
  /** Null: there are too few pairs, or the metric has no margin. */
  readonly nonInferiority: NonInferiority | null;
}

/** How a table is compared. */
export type TableOptions = BootstrapOptions;

/**
 * Compares each metric of each candidate with the baseline, as `mlflow.genai.compare_evaluations` of MLflow 3.18 does for
 * one candidate: over the rows that have a value in both runs, by `comparePairs`. P-values are adjusted over all metrics
 * and candidates, which MLflow leaves to the reader. Where people labelled enough rows, `ppiDifference` corrects the
 * judge's errors, and its p-value counts.
 *
 * @returns the first candidate's metrics first, in the order of the table
 * @throws RangeError as `comparePairs` and `nonInferiority`, or runs of a metric differ in their number of rows
 */
export function compareTable(metrics: readonly TableMetric[], options: TableOptions = {}): TableComparison[] {
  const runs = Math.max(0, ...metrics.map(({ values }) => values.length));
  const compared = Array.from({ length: Math.max(0, runs - 1) }, (_none, at) => at + 1).flatMap((run) =>
    metrics.map((metric) => compareMetric(metric, run, options)),
  );
  return adjust(compared);
}

function adjust(compared: readonly TableComparison[]): TableComparison[] {
  const adjusted = holmAdjust(compared.flatMap(({ pValue }) => pValue ?? []));
  let next = 0;
  return compared.map((one) => ({ ...one, adjustedPValue: one.pValue === null ? null : (adjusted[next++] as number) }));
}

function compareMetric(metric: TableMetric, run: number, options: TableOptions): TableComparison {
  const { name, higherIsBetter, margin } = metric;
  const pairs = pairsOf(metric, run);
  const { baseline, candidate } = pairs;
  const level = options.level ?? DEFAULT_LEVEL;
  const isEnough = baseline.length >= MIN_PAIRS;
  const comparison = isEnough ? comparePairs(baseline, candidate, { ...options, higherIsBetter }) : null;
  const corrected = correct(pairs, level);
  return {
    ...{ metric: name, run, ...pairs, comparison, corrected },
    pValue: corrected?.pValue ?? comparison?.pValue ?? null,
    adjustedPValue: null,
    nonInferiority: margin === null || !isEnough ? null : testMargin(pairs, corrected, margin, higherIsBetter, level),
  };
}

function testMargin(
  { baseline, candidate }: Pairs,
  corrected: PpiDifference | null,
  margin: number,
  higherIsBetter: boolean,
  level: number,
): NonInferiority {
  if (corrected) return correctedNonInferiority(corrected, margin, higherIsBetter);
  return nonInferiority(differencesOf(baseline, candidate), margin, higherIsBetter, level);
}

type Pairs = Pick<TableComparison, 'baseline' | 'candidate' | 'baselineLabels' | 'candidateLabels'>;

/** The rows that have a value in both runs. */
function pairsOf({ values, labels }: TableMetric, run: number): Pairs {
  const [a = [], b = []] = [values[0], values[run]];
  if (a.length !== b.length) throw new RangeError(`runs must have as many rows, got ${a.length} and ${b.length}`);
  const rows = a.flatMap((value, at) => (value === null || b[at] === null ? [] : at));
  const labelsOf = (run: number) => rows.map((at) => labels?.[run]?.[at] ?? null);
  return {
    ...{ baseline: rows.map((at) => a[at] as number), candidate: rows.map((at) => b[at] as number) },
    ...{ baselineLabels: labelsOf(0), candidateLabels: labelsOf(run) },
  };
}

function correct({ baseline, candidate, baselineLabels, candidateLabels }: Pairs, level: number): PpiDifference | null {
  const verdicts = differencesOf(baseline, candidate);
  const isLabelled = (at: number): boolean => baselineLabels[at] !== null && candidateLabels[at] !== null;
  const labelled = verdicts.flatMap((_verdict, at) => (isLabelled(at) ? at : []));
  if (labelled.length < MIN_LABELS) return null;
  const human = labelled.map((at) => (candidateLabels[at] as number) - (baselineLabels[at] as number));
  const judge = labelled.map((at) => verdicts[at] as number);
  return ppiDifference({ human, judge }, momentsOf(verdicts.filter((_verdict, at) => !isLabelled(at))), level);
}

const differencesOf = (baseline: readonly number[], candidate: readonly number[]): number[] =>
  candidate.map((value, at) => value - (baseline[at] as number));
