import type { ComparedFigureDto, MetricComparisonDto } from '@hone/client';

import { formatCost, formatDuration, formatMetric } from '../../../shared/format/format.js';
import { LATENCY } from '../results.js';

/** Before the names of scores, where the interface names metrics. */
export const SCORE = 'scores.';
const MEASURES: Readonly<Record<string, string>> = {
  latency_ms: LATENCY,
  cost_usd: 'cost, US dollars',
  length: 'length, characters',
};

/** What the page calls a metric of the interface: scores by their own name. */
export const nameOfMetric = (metric: string): string =>
  metric.startsWith(SCORE) ? metric.slice(SCORE.length) : (MEASURES[metric] ?? metric);

/** The interface's name of a score. */
export const scoreMetric = (name: string): string => SCORE + name;

type Unit = MetricComparisonDto['unit'];

/** A value in its unit. */
export function formatValue(value: number, unit: Unit): string {
  const size = Math.abs(value);
  const text = unit === 'ms' ? formatDuration(size) : unit === 'usd' ? formatCost(size) : formatMetric(size);
  return value < 0 ? `−${text}` : text;
}

/** A difference in its unit, with its sign. */
export const formatSigned = (value: number, unit: Unit): string => `${value > 0 ? '+' : ''}${formatValue(value, unit)}`;

/** `0.023`, `< 0.001`. */
export const formatP = (p: number): string => (p < 0.001 ? '< 0.001' : String(Number(p.toPrecision(2))));

/** A figure whose ends are known. */
export type Bounded = ComparedFigureDto & { readonly estimate: number; readonly low: number; readonly high: number };

export const isBounded = (figure: ComparedFigureDto): figure is Bounded =>
  figure.estimate !== null && figure.low !== null && figure.high !== null;
