import type { CallStatsBucketDto } from '@hone/client';

/** What all calls of a time did together. */
export interface Figures {
  readonly calls: number;
  readonly failed: number;
  /** Over the calls of all buckets that have one; null: none has ended. */
  readonly meanLatencyMs: number | null;
  readonly tokens: number;
  readonly costUsd: number;
}

export function toFigures(buckets: readonly CallStatsBucketDto[]): Figures {
  const sum = (of: (bucket: CallStatsBucketDto) => number) => buckets.reduce((total, one) => total + of(one), 0);
  const used = (name: string) =>
    sum(({ usage }) => Object.values(usage).reduce((total, model) => total + (model[name] ?? 0), 0));
  const timed = buckets.filter(({ avg_latency_ms }) => avg_latency_ms !== null);
  const weight = timed.reduce((total, { count }) => total + count, 0);
  const latency = timed.reduce((total, { avg_latency_ms, count }) => total + (avg_latency_ms ?? 0) * count, 0);
  return {
    calls: sum(({ count }) => count),
    failed: sum(({ error_count }) => error_count),
    meanLatencyMs: weight === 0 ? null : latency / weight,
    tokens: used('total_tokens'),
    costUsd: used('total_cost'),
  };
}
