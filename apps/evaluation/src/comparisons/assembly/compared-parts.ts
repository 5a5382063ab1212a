import type { LeftOutRowsDto } from '@hone/contracts';
import type { TableComparison, TableMetric } from '@hone/statistics';

import type { ComparedMetric } from './compared-metrics.js';
import type { ComparisonOrder, RowLine } from './comparison-order.js';
import type { RunTable } from './run-table.js';

/** All rows, or those of a slice. */
export class ComparedPart {
  /** @param name of the slice; null: all rows */
  constructor(
    readonly name: string | null,
    readonly rows: readonly number[],
    private readonly table: RunTable,
  ) {}

  /** The metric over these rows alone. */
  restrict(metric: TableMetric): TableMetric {
    if (this.name === null) return metric;
    const pick = (of: readonly (number | null)[]) => this.rows.map((row) => of[row] ?? null);
    return { ...metric, values: metric.values.map(pick), labels: metric.labels && metric.labels.map(pick) };
  }

  /** Rows that the baseline and a run have. */
  readonly pairedRows = (run: number): number => this.rows.filter((row) => this.isPaired(run, row)).length;

  /** Rows of both runs that are not among the pairs of a metric. */
  leftOut({ run, baseline }: TableComparison): LeftOutRowsDto {
    const paired = this.rows.filter((row) => this.isPaired(run, row));
    const failed = paired.filter((row) => this.table.hasFailed(0, row) || this.table.hasFailed(run, row)).length;
    const left = paired.length - baseline.length;
    return { failed: Math.min(failed, left), no_number: left - Math.min(failed, left) };
  }

  private isPaired(run: number, row: number): boolean {
    return this.table.isPresent(0, row) && this.table.isPresent(run, row);
  }
}

/** All rows first, then each slice. */
export function partsOf({ rows, settings }: ComparisonOrder, table: RunTable): ComparedPart[] {
  const slices = settings.slices.map((): number[] => []);
  for (const chunk of rows)
    for (const [digest, ...isIn] of JSON.parse(chunk) as RowLine[]) {
      const row = table.rowOf(digest);
      if (row !== undefined) isIn.forEach((is, at) => is && slices[at]?.push(row));
    }
  return [
    new ComparedPart(
      null,
      table.digests.map((_digest, row) => row),
      table,
    ),
    ...slices.map((of, at) => new ComparedPart(settings.slices[at] as string, of, table)),
  ];
}

/** The metrics as statistics takes them. */
export function tableOf(table: RunTable, metrics: readonly ComparedMetric[], runs: number): TableMetric[] {
  const ofRuns = <T>(of: (run: number) => T): T[] => Array.from({ length: runs }, (_none, run) => of(run));
  return metrics.map(({ name, higherIsBetter, margin, truth }) => ({
    ...{ name, higherIsBetter, margin, values: ofRuns((run) => table.values(name, run)) },
    labels: truth === null ? null : ofRuns((run) => table.labels(truth, run)),
  }));
}

/** How many pairs are compared, over metrics and candidates. */
export function pairsIn(metrics: readonly TableMetric[], { rows }: ComparedPart, runs: number): number {
  let pairs = 0;
  for (const { values } of metrics)
    for (let run = 1; run < runs; run++)
      for (const row of rows) if (values[0]?.[row] !== null && values[run]?.[row] !== null) pairs++;
  return pairs;
}
