import type { CallChartsDto } from '@hone/client';

import { formatCost, formatCount, formatDuration, formatShare } from '../format/format.js';

export type ChartMeasure = CallChartsDto['measures'][number];
export type ChartGroup = NonNullable<CallChartsDto['group_by']>[number];

/** What a measure is counted in: one axis has one of them. */
type Unit = 'count' | 'dollars' | 'milliseconds' | 'share' | 'rating';

/** How a measure is shown. */
export interface Measure {
  readonly label: string;
  readonly unit: Unit;
  /** Which way is good; absent: neither. */
  readonly better?: 'more' | 'less';
  /** Whether the values of parts add up to that of the whole, so that bars can be stacked. */
  readonly isSum: boolean;
  /** The measure that it is a part of: bars of both must not count it twice. Absent: it is no part of another. */
  readonly partOf?: ChartMeasure;
  /** What the whole is called without its parts. Absent: it has none. */
  readonly others?: string;
}

const sum = (label: string, better?: Measure['better'], unit: Unit = 'count'): Measure => ({
  ...{ label, unit, isSum: true },
  ...(better && { better }),
});
const whole = (label: string, others: string, partOf?: ChartMeasure): Measure => ({
  ...{ ...sum(label), others },
  ...(partOf && { partOf }),
});
const part = (label: string, partOf: ChartMeasure, better?: Measure['better']): Measure => ({
  ...{ ...sum(label, better), partOf },
});
const notSum = (label: string, unit: Unit, better: Measure['better']): Measure => ({
  ...{ label, unit, isSum: false },
  ...(better && { better }),
});

/** All that the interface measures, in the order in which one chooses. */
export const MEASURES: Readonly<Record<ChartMeasure, Measure>> = {
  calls: whole('Calls', 'Calls that did not fail'),
  errors: part('Failed calls', 'calls', 'less'),
  error_rate: notSum('Failure rate', 'share', 'less'),
  requests: sum('Model requests'),
  prompt_tokens: whole('Prompt tokens', 'Other prompt tokens', 'total_tokens'),
  completion_tokens: whole('Completion tokens', 'Other completion tokens', 'total_tokens'),
  total_tokens: whole('Tokens', 'Other tokens'),
  cached_tokens: part('Cached tokens', 'prompt_tokens'),
  cache_write_tokens: part('Tokens written to caches', 'prompt_tokens'),
  reasoning_tokens: part('Reasoning tokens', 'completion_tokens'),
  cost: sum('Cost', 'less', 'dollars'),
  avg_latency_ms: notSum('Mean latency', 'milliseconds', 'less'),
  p50_latency_ms: notSum('p50 latency', 'milliseconds', 'less'),
  p95_latency_ms: notSum('p95 latency', 'milliseconds', 'less'),
  p99_latency_ms: notSum('p99 latency', 'milliseconds', 'less'),
  thumbs_up: sum('Thumbs up', 'more'),
  thumbs_down: sum('Thumbs down', 'less'),
  thumbs_down_rate: notSum('Rate of thumbs down', 'share', 'less'),
  ratings: sum('Ratings'),
  avg_rating: notSum('Mean rating', 'rating', undefined),
};

/** By what calls can be told apart, and what those without it are called. */
export const GROUPS: Readonly<Record<ChartGroup, { readonly label: string; readonly none: string }>> = {
  model: { label: 'Model', none: 'No model' },
  op: { label: 'Op', none: 'No op' },
  status: { label: 'Status', none: 'No status' },
  error_class: { label: 'Kind of failure', none: 'No failure' },
  user: { label: 'End user', none: 'No end user' },
  thread: { label: 'Thread', none: 'No thread' },
  prompt: { label: 'Prompt version', none: 'No prompt' },
  checkpoint: { label: 'Checkpoint', none: 'No checkpoint' },
  scorer: { label: 'Scorer', none: 'No scorer' },
};

export const isMeasure = (name: unknown): name is ChartMeasure =>
  typeof name === 'string' && Object.hasOwn(MEASURES, name);

export const isGroup = (name: unknown): name is ChartGroup => typeof name === 'string' && Object.hasOwn(GROUPS, name);

const FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  count: formatCount,
  dollars: formatCost,
  milliseconds: formatDuration,
  share: formatShare,
  rating: (value) => value.toFixed(2),
};

/** Writes a value of a measure. */
export const formatOf = (measure: ChartMeasure): ((value: number) => string) => FORMATS[MEASURES[measure].unit];
