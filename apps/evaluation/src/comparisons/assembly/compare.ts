import { MAX_COMPARED_METRICS, type RunComparisonDto } from '@hone/contracts';
import { compareTable, holmAdjust, type TableComparison } from '@hone/statistics';

import { chooseMetrics, type ComparedMetric } from './compared-metrics.js';
import { type ComparedPart, pairsIn, partsOf, tableOf } from './compared-parts.js';
import type { ComparisonAnswer, ComparisonOrder } from './comparison-order.js';
import { judged, regressionsOf, toMetric, type UnjudgedMetric } from './metric-comparison.js';
import { rowsOf } from './paired-rows.js';
import { RunTable } from './run-table.js';
import { winRatesOf } from './win-rates.js';

/** Pairs over all metrics, slices and candidates, and comparisons of a metric, each of which is a part of the answer. */
const MAX_PAIRS = 1_000_000;
const MAX_COMPARISONS = 2_000;
/** Values that are drawn for all intervals together, where the fewest samples do not need more: some ten seconds. */
const MAX_DRAWS = 500_000_000;
const RESAMPLES = { least: 1_000, most: 10_000 };
const MAX_IGNORED = 50;

/** Compares runs: pairs their rows, chooses metrics, and computes all figures, of all rows and of each slice. */
export function compare(order: ComparisonOrder): ComparisonAnswer {
  const { runs, settings } = order;
  const table = new RunTable(order);
  const { metrics, ignored, unknown } = chooseMetrics(table, runs, settings);
  if (unknown) return { unknown };
  if (metrics.length > MAX_COMPARED_METRICS) return { tooManyMetrics: MAX_COMPARED_METRICS };
  const values = tableOf(table, metrics, runs);
  const parts = partsOf(order, table);
  const pairs = parts.reduce((sum, part) => sum + pairsIn(values, part, runs), 0);
  if (pairs > MAX_PAIRS) return { tooMany: 'pairs', found: pairs, limit: MAX_PAIRS };
  const compared = parts.length * metrics.length * (runs - 1);
  if (compared > MAX_COMPARISONS) return { tooMany: 'comparisons', found: compared, limit: MAX_COMPARISONS };
  const resamples = Math.max(RESAMPLES.least, Math.min(RESAMPLES.most, Math.floor(MAX_DRAWS / Math.max(1, pairs))));
  const options = { level: settings.level, seed: settings.seed, resamples };
  const [whole, ...slices] = parts.map((part) => {
    const found = compareTable(
      values.map((metric) => part.restrict(metric)),
      options,
    );
    return found.map((one) => toMetric(one, metricOf(metrics, one), part.leftOut(one), settings.level));
  });
  const adjustedWhole = adjusted(whole ?? [], settings.level);
  const adjustedSlices = adjusted(slices.flat(), settings.level);
  return {
    comparisons: Array.from({ length: runs - 1 }, (_none, at) => {
      const run = at + 1;
      const ofSlices = parts.slice(1).map((part, slice) => {
        const first = (slice * (runs - 1) + at) * metrics.length;
        return toSlice(part, run, adjustedSlices.slice(first, first + metrics.length));
      });
      const ofAll = adjustedWhole.slice(at * metrics.length, run * metrics.length);
      return {
        ...{ rows: rowsOf(table, run), metrics: ofAll, slices: ofSlices },
        win_rates: winRatesOf(table, run, settings.level),
        regressions: regressionsOf(ofAll, ofSlices),
      };
    }),
    statuses: Array.from({ length: runs }, (_none, run) => table.statusesOf(run)),
    ...{ counts: table.counts, resamples, ignoredScores: ignored.slice(0, MAX_IGNORED) },
  };
}

const metricOf = (metrics: readonly ComparedMetric[], { metric }: TableComparison): ComparedMetric =>
  metrics.find(({ name }) => name === metric) as ComparedMetric;

/** P-values by Holm over all of them, and what they say. */
function adjusted(metrics: readonly UnjudgedMetric[], level: number) {
  const values = holmAdjust(metrics.flatMap(({ p_value }) => p_value ?? []));
  let next = 0;
  return metrics.map((metric) => judged(metric, metric.p_value === null ? null : (values[next++] as number), level));
}

const toSlice = (
  { name, pairedRows }: ComparedPart,
  run: number,
  metrics: RunComparisonDto['metrics'],
): RunComparisonDto['slices'][number] => ({ name: name ?? '', rows: pairedRows(run), metrics });
