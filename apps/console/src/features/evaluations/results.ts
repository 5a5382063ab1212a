import type { EvalResultRowDto } from '@hone/client';

import { preview } from '../../shared/format/preview.js';
import { bootstrapMean, type Interval } from './bootstrap.js';
import { metricsOf } from './metrics.js';

/** A run as the comparison names it. */
export interface ComparedRun {
  readonly id: string;
  readonly label: string;
}

/** What one run found for a row. */
export interface Cell {
  readonly status: EvalResultRowDto['evaluations'][number]['status'];
  readonly trials: EvalResultRowDto['evaluations'][number]['trials'];
  /** Name of a metric -> its mean over the trials that count and did not fail. */
  readonly metrics: ReadonlyMap<string, number>;
}

export interface ResultRow {
  readonly digest: string;
  readonly inputs: unknown;
  /** By the id of the run; a run that has not the row is not there. */
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Milliseconds from the start of a prediction to its end, as a metric beside the scores. */
export const LATENCY = 'latency, ms';

export const toResultRow = ({ row_digest, inputs, evaluations }: EvalResultRowDto): ResultRow => ({
  digest: row_digest,
  inputs,
  cells: new Map(
    evaluations.map(({ evaluation_run_id, status, trials }) => [
      evaluation_run_id,
      { status, trials, metrics: meanMetrics(trials) },
    ]),
  ),
});

function meanMetrics(trials: Cell['trials']): ReadonlyMap<string, number> {
  const values = new Map<string, number[]>();
  for (const { scores, latency_ms, counts, exception } of trials) {
    if (!counts || exception !== null) continue;
    const metrics = new Map(metricsOf(scores));
    if (typeof latency_ms === 'number') metrics.set(LATENCY, latency_ms);
    for (const [name, value] of metrics) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new Map([...values].map(([name, list]) => [name, list.reduce((sum, one) => sum + one, 0) / list.length]));
}

/** Names of all metrics, scores by name, latency last. */
export function metricNames(rows: readonly ResultRow[]): string[] {
  const names = new Set(rows.flatMap(({ cells }) => [...cells.values()].flatMap(({ metrics }) => [...metrics.keys()])));
  return [...names].sort((a, b) => Number(a === LATENCY) - Number(b === LATENCY) || (a < b ? -1 : 1));
}

/** Mean of a metric over the rows of a run; null: the run does not have it. */
export const meanOf = (rows: readonly ResultRow[], run: string, metric: string): Interval | null =>
  bootstrapMean(rows.map(({ cells }) => cells.get(run)?.metrics.get(metric)).filter((value) => value !== undefined));

/** Whether a run failed at the row, or misses it. @param status '' takes every row */
export const hasStatus = ({ cells }: ResultRow, runs: readonly string[], status: string): boolean =>
  status === '' || runs.some((run) => cells.get(run)?.status === status);

/** Whether runs found something else for the row. @param metric '' looks at all scores, and at outputs where none is there */
export function isDifferent({ cells }: ResultRow, runs: readonly string[], metric: string): boolean {
  const found = runs.map((run) => {
    const cell = cells.get(run);
    if (!cell || cell.status === 'missing') return 'no row';
    if (cell.status === 'failed') return 'failed';
    if (metric !== '') return String(cell.metrics.get(metric));
    const scores = [...cell.metrics].filter(([name]) => name !== LATENCY).sort();
    return scores.length > 0 ? JSON.stringify(scores) : cell.trials.map(({ output }) => preview(output)).join('\n');
  });
  return new Set(found).size > 1;
}
