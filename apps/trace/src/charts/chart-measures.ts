import type { ChartMeasure } from '@hone/contracts';

import type { Rank, Sums } from './charts.repository.js';

/** Measures that quantiles of latencies are read for. */
export const QUANTILES: Partial<Record<ChartMeasure, number>> = {
  p50_latency_ms: 0.5,
  p95_latency_ms: 0.95,
  p99_latency_ms: 0.99,
};
/** Measures that feedback is read for. */
export const JUDGED: readonly ChartMeasure[] = [
  'thumbs_up',
  'thumbs_down',
  'thumbs_down_rate',
  'ratings',
  'avg_rating',
];

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** What measures are computed of. */
const OF_SUMS: Partial<Record<ChartMeasure, (sums: Sums) => number | null>> = {
  calls: ({ calls }) => calls,
  errors: ({ errors }) => errors,
  error_rate: ({ errors, calls }) => ratio(errors, calls),
  requests: ({ requests }) => requests,
  prompt_tokens: ({ prompt }) => prompt,
  completion_tokens: ({ completion }) => completion,
  total_tokens: ({ total }) => total,
  cached_tokens: ({ cached }) => cached,
  cache_write_tokens: ({ written }) => written,
  reasoning_tokens: ({ reasoning }) => reasoning,
  cost: ({ cost }) => cost,
  avg_latency_ms: ({ ms, ended }) => ratio(ms, ended),
  thumbs_up: ({ up }) => up,
  thumbs_down: ({ down }) => down,
  thumbs_down_rate: ({ up, down }) => ratio(down, up + down),
  ratings: ({ ratings }) => ratings,
  avg_rating: ({ rated, ratings }) => ratio(rated, ratings),
};

/** What series are ordered by where a measure comes first: the number of what it is a mean, share or quantile of. */
const RANKS: Partial<Record<ChartMeasure, Rank>> = {
  ...{
    errors: 'errors',
    requests: 'requests',
    prompt_tokens: 'prompt',
    completion_tokens: 'completion',
    total_tokens: 'total',
  },
  ...{ cached_tokens: 'cached', cache_write_tokens: 'written', reasoning_tokens: 'reasoning', cost: 'cost' },
  ...{ thumbs_up: 'up', thumbs_down: 'down', thumbs_down_rate: 'down', ratings: 'ratings', avg_rating: 'ratings' },
};

export const rankOf = (measure: ChartMeasure): Rank => RANKS[measure] ?? 'calls';

/** @param sums undefined: there are no calls @param latencies of the quantiles that are asked for, in their order */
export function measuresOf(
  measures: readonly ChartMeasure[],
  sums: Sums | undefined,
  latencies: readonly number[] | undefined,
): Record<string, number | null> {
  const asked = measures.filter((measure) => measure in QUANTILES);
  return Object.fromEntries(
    measures.map((measure) => [
      measure,
      measure in QUANTILES
        ? (latencies?.[asked.indexOf(measure)] ?? null)
        : (OF_SUMS[measure]?.(sums ?? NO_SUMS) ?? null),
    ]),
  );
}

const NO_SUMS: Sums = {
  ...{ calls: 0, errors: 0, ended: 0, ms: 0, requests: 0, prompt: 0, completion: 0, total: 0, cached: 0, written: 0 },
  ...{ reasoning: 0, cost: 0, up: 0, down: 0, ratings: 0, rated: 0 },
};
