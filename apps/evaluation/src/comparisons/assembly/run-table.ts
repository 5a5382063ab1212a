import { type JsonValue, mappedNumber } from '@hone/contracts';

import type {
  ComparedTruth,
  ComparisonOrder,
  LabelLine,
  RowStatuses,
  TrialCounts,
  TrialLine,
} from './comparison-order.js';
import { covers, eachScore, eachWin, toNumber } from './score-numbers.js';
import { usedByTrial } from './used.js';

/** What Hone measures of each prediction, in the order of answers. */
export const MEASURES = ['latency_ms', 'cost_usd', 'tokens', 'length', 'failed'] as const;
export type Measure = (typeof MEASURES)[number];

/** Different scores that are told apart; of more, none is meant. */
const MAX_SCORES = 1_000;

/** Sums of one metric: run -> row -> sum and count over the predictions of the row that count. */
interface Cells {
  readonly sums: number[][];
  readonly counts: number[][];
}

/**
 * Rows of runs with their metrics. A row is one set of inputs, however often it was predicted: predictions of a row are
 * not independent of each other, so that their mean is one value.
 */
export class RunTable {
  readonly digests: string[] = [];
  /** Of each run. */
  readonly counts: readonly TrialCounts[];
  /** Scores that are no numbers anywhere, or were not told apart. */
  readonly textScores = new Set<string>();
  /** Scores that the body does not mean. */
  readonly otherScores = new Set<string>();
  /** Predictions whose label is no number, or beyond the scale: it does not count. */
  labelsOffScale = 0;
  private readonly rows = new Map<string, number>();
  private readonly cells = new Map<string, Cells>();
  private readonly labelCells = new Map<number, Cells>();
  private readonly winCells = new Map<string, Cells>();
  /** Run -> row -> predictions that count, and those of them that failed. */
  private readonly present: Cells;

  constructor(private readonly order: ComparisonOrder) {
    this.present = this.newCells();
    const used = usedByTrial(order.usage, order.prices);
    const labels = readLabels(order);
    const counts = Array.from({ length: order.runs }, () => ({ trials: 0, replaced: 0 }));
    for (const chunk of order.trials)
      for (const line of JSON.parse(chunk) as TrialLine[]) {
        const [id, run, , isCounted] = line;
        counts[run]![isCounted ? 'trials' : 'replaced']++;
        if (isCounted) this.add(line, used.get(id), labels);
      }
    this.counts = counts;
  }

  /** Scores that are numbers somewhere, by name. */
  get scores(): string[] {
    return [...this.cells.keys()].filter((name) => !isMeasure(name)).sort();
  }

  /** Whether a run has a number of the metric for any row. */
  has(metric: string, run: number): boolean {
    return this.cells.get(metric)?.counts[run]?.some((count) => count > 0) ?? false;
  }

  /** Whether a prediction that counts failed. */
  get hasAnyFailure(): boolean {
    return this.present.sums.some((sums) => sums.some((failed) => failed > 0));
  }

  /** The value of each row; null: the run has none. */
  values(metric: string, run: number): (number | null)[] {
    return this.meansOf(this.cells.get(metric), run);
  }

  /** The mean label of each row. @param truth index among the truths */
  labels(truth: number, run: number): (number | null)[] {
    return this.meansOf(this.labelCells.get(truth), run);
  }

  /** Scores of judges that compared a run's answers with the baseline's, by name. */
  get wins(): string[] {
    return [...this.winCells.keys()].sort();
  }

  /** How each row of a run fared against the baseline, from 0 to 1; null: nobody compared it. */
  winsOf(metric: string, run: number): (number | null)[] {
    return this.meansOf(this.winCells.get(metric), run);
  }

  isPresent(run: number, row: number): boolean {
    return this.trialsOf(run, row) > 0;
  }

  /** Predictions of the row that count. */
  trialsOf(run: number, row: number): number {
    return this.present.counts[run]?.[row] ?? 0;
  }

  /** Whether all predictions of the row that count failed. */
  hasFailed(run: number, row: number): boolean {
    return this.isPresent(run, row) && this.present.sums[run]?.[row] === this.present.counts[run]?.[row];
  }

  /** Whether a run has predictions that count, all of which failed. */
  hasFailedWhole(run: number): boolean {
    const rows = this.digests.map((_digest, row) => row).filter((row) => this.isPresent(run, row));
    return rows.length > 0 && rows.every((row) => this.hasFailed(run, row));
  }

  /** Rows of a run by whether a prediction that counts failed. */
  statusesOf(run: number): RowStatuses {
    const rows = this.digests.flatMap((_digest, row) =>
      this.isPresent(run, row) ? [this.present.sums[run]?.[row] ?? 0] : [],
    );
    const failed = rows.filter((failures) => failures > 0).length;
    return { predicted: rows.length - failed, failed };
  }

  rowOf(digest: string): number | undefined {
    return this.rows.get(digest);
  }

  private add(
    [id, run, digest, , hasFailed, latencyMs, length, scores]: TrialLine,
    used: { tokens: number; costUsd: number | null } | undefined,
    labels: ReadLabels,
  ): void {
    let row = this.rows.get(digest);
    if (row === undefined) {
      row = this.digests.push(digest) - 1;
      this.rows.set(digest, row);
    }
    put(this.present, run, row, hasFailed ? 1 : 0);
    this.addMeasure('failed', run, row, hasFailed ? 1 : 0);
    if (hasFailed) return;
    this.addMeasure('latency_ms', run, row, latencyMs);
    this.addMeasure('length', run, row, length);
    this.addMeasure('tokens', run, row, used?.tokens ?? null);
    this.addMeasure('cost_usd', run, row, used?.costUsd ?? null);
    eachScore(scores, (metric, value) => this.addScore(metric, run, row, value));
    eachWin(scores, this.order.settings.baseline, (metric, win) => this.addWin(metric, run, row, win));
    for (const [truth, label] of labels.get(id) ?? []) {
      if (label === null) {
        this.labelsOffScale++;
        continue;
      }
      const cells = this.labelCells.get(truth) ?? this.newCells();
      this.labelCells.set(truth, cells);
      put(cells, run, row, label);
    }
  }

  private addScore(metric: string, run: number, row: number, value: number | null): void {
    const { metrics } = this.order.settings;
    const known = this.cells.get(metric);
    if (known) {
      if (value !== null) put(known, run, row, value);
      return;
    }
    const isMeant = metrics?.some((name) => covers(name, metric)) ?? true;
    if (!isMeant) {
      if (this.otherScores.size < MAX_SCORES && value !== null) this.otherScores.add(metric);
      return;
    }
    if (value === null || this.cells.size > MAX_SCORES) {
      if (this.textScores.size < MAX_SCORES) this.textScores.add(metric);
      return;
    }
    this.textScores.delete(metric);
    const cells = this.newCells();
    this.cells.set(metric, cells);
    put(cells, run, row, value);
  }

  private addWin(metric: string, run: number, row: number, win: number): void {
    const cells = this.winCells.get(metric) ?? this.newCells();
    if (this.winCells.size < MAX_SCORES) this.winCells.set(metric, cells);
    put(cells, run, row, win);
  }

  private addMeasure(measure: Measure, run: number, row: number, value: number | null): void {
    const number = toNumber(value);
    if (number === null) return;
    const cells = this.cells.get(measure) ?? this.newCells();
    this.cells.set(measure, cells);
    put(cells, run, row, number);
  }

  private newCells(): Cells {
    const ofRuns = () => Array.from({ length: this.order.runs }, (): number[] => []);
    return { sums: ofRuns(), counts: ofRuns() };
  }

  private meansOf(cells: Cells | undefined, run: number): (number | null)[] {
    return this.digests.map((_digest, row) => {
      const count = cells?.counts[run]?.[row] ?? 0;
      return count === 0 ? null : (cells?.sums[run]?.[row] as number) / count;
    });
  }
}

export const isMeasure = (metric: string): metric is Measure => (MEASURES as readonly string[]).includes(metric);

function put({ sums, counts }: Cells, run: number, row: number, value: number): void {
  const [sum, count] = [sums[run] as number[], counts[run] as number[]];
  sum[row] = (sum[row] ?? 0) + value;
  count[row] = (count[row] ?? 0) + 1;
}

/** By id of the prediction. Null: what a person said is no label. */
type ReadLabels = ReadonlyMap<string, readonly (readonly [truth: number, label: number | null])[]>;

function readLabels({ labels, settings }: ComparisonOrder): ReadLabels {
  const found = new Map<string, (readonly [truth: number, label: number | null])[]>();
  for (const chunk of labels)
    for (const [truth, trial, text] of JSON.parse(chunk) as LabelLine[]) {
      const { map, scale: [min, max] = [-Infinity, Infinity] } = settings.truths[truth] as ComparedTruth;
      const label = toNumber(mappedNumber(JSON.parse(text) as JsonValue, map));
      const isLabel = label !== null && label >= min && label <= max;
      found.set(trial, [...(found.get(trial) ?? []), [truth, isLabel ? label : null]]);
    }
  return found;
}
