import type { MetricSource, MetricUnit } from '@hone/contracts';

import type { ComparisonSettings, UnknownMetric } from './comparison-order.js';
import { isMeasure, type Measure, MEASURES, type RunTable } from './run-table.js';
import { covers } from './score-numbers.js';

/** A metric that is compared. */
export interface ComparedMetric {
  readonly name: string;
  readonly source: MetricSource;
  readonly unit: MetricUnit | null;
  readonly higherIsBetter: boolean;
  readonly margin: number | null;
  /** Half-width within which the difference is to be known. Null: nobody asks, or it is a fact. */
  readonly width: number | null;
  /** Index among the truths. Null: nobody labelled it, or it is a fact, which labels do not correct. */
  readonly truth: number | null;
}

export interface ChosenMetrics {
  readonly metrics: readonly ComparedMetric[];
  /** Scores that are left out. */
  readonly ignored: readonly string[];
  /** A name of the body that means no metric. */
  readonly unknown?: UnknownMetric;
}

const UNITS: Readonly<Record<Measure, MetricUnit | null>> = {
  latency_ms: 'ms',
  cost_usd: 'usd',
  tokens: 'tokens',
  length: 'characters',
  failed: null,
};
const MAX_KNOWN = 50;

/** Which metrics are compared: those that the body names, else all that the baseline and a candidate have. */
export function chooseMetrics(table: RunTable, runs: number, settings: ComparisonSettings): ChosenMetrics {
  const known = [...table.scores, ...MEASURES];
  const isPaired = (name: string): boolean => {
    const candidates = Array.from({ length: runs - 1 }, (_none, at) => at + 1);
    return table.has(name, 0) && candidates.some((run) => table.has(name, run));
  };
  const names = known.filter((name) =>
    settings.metrics
      ? settings.metrics.some((asked) => covers(asked, name))
      : isPaired(name) && isOfInterest(table, name),
  );
  const ignored = [...table.scores.filter((name) => !names.includes(name)), ...table.textScores].sort();
  const unknown = unknownName(settings, [...new Set([...table.scores, ...table.otherScores])].sort().concat(MEASURES));
  return { metrics: names.map((name) => describe(name, settings)), ignored, ...(unknown && { unknown }) };
}

/** Where nothing failed, that is no metric: each metric costs the others power. */
const isOfInterest = (table: RunTable, name: string): boolean => name !== 'failed' || table.hasAnyFailure;

function describe(name: string, settings: ComparisonSettings): ComparedMetric {
  const { lowerIsBetter, facts, checks, margins, widths, truths } = settings;
  const margin = namedOf(name, margins);
  if (isMeasure(name))
    return { name, source: 'measure', unit: UNITS[name], higherIsBetter: false, margin, width: null, truth: null };
  const isMeant = (names: readonly string[]): boolean => names.some((one) => covers(one, name));
  const isFact = isMeant([...facts, ...checks]);
  const truth = isFact ? -1 : truths.findIndex(({ metric }) => metric === name);
  return {
    ...{ name, source: isFact ? 'check' : 'score', unit: null, higherIsBetter: !isMeant(lowerIsBetter) },
    ...{ margin, width: isFact ? null : namedOf(name, widths), truth: truth < 0 ? null : truth },
  };
}

/** Of the names that mean the metric, the longest counts. Null: none does. */
function namedOf(name: string, numbers: Readonly<Record<string, number>>): number | null {
  const named = Object.keys(numbers).filter((one) => covers(one, name));
  const longest = named.reduce<string | null>((found, one) => (found && found.length > one.length ? found : one), null);
  return longest === null ? null : (numbers[longest] as number);
}

function unknownName(settings: ComparisonSettings, known: readonly string[]): UnknownMetric | undefined {
  const { metrics, lowerIsBetter, facts, margins, widths, truths } = settings;
  const named: [field: UnknownMetric['field'], index: number | string, name: string][] = [
    ...(metrics ?? []).map((name, at): [UnknownMetric['field'], number, string] => ['metrics', at, name]),
    ...lowerIsBetter.map((name, at): [UnknownMetric['field'], number, string] => ['lower_is_better', at, name]),
    ...facts.map((name, at): [UnknownMetric['field'], number, string] => ['facts', at, name]),
    ...Object.keys(margins).map((name): [UnknownMetric['field'], string, string] => ['margins', name, name]),
    ...Object.keys(widths).map((name): [UnknownMetric['field'], string, string] => ['widths', name, name]),
    ...truths.map(({ metric }, at): [UnknownMetric['field'], number, string] => ['truth', at, metric]),
  ];
  const wrong = named.find(([field, , name]) => !known.some((metric) => isMeantBy(field, name, metric)));
  return wrong && { field: wrong[0], index: wrong[1], known: known.slice(0, MAX_KNOWN) };
}

/** Labels are of one metric; of measures it is known what is better, and nobody doubts them. */
function isMeantBy(field: UnknownMetric['field'], name: string, metric: string): boolean {
  if (field === 'truth') return metric === name && !isMeasure(metric);
  return covers(name, metric) && (field === 'metrics' || field === 'margins' || !isMeasure(metric));
}
