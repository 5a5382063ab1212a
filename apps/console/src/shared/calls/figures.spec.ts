import type { CallStatsBucketDto } from '@hone/client';

import { toFigures } from './figures.js';

const bucket = (count: number, avg: number | null, usage = {}): CallStatsBucketDto => ({
  ...{ timestamp: '2026-01-15T10:00:00Z', count, error_count: 1, avg_latency_ms: avg, usage },
  ...{ p50_latency_ms: avg, p95_latency_ms: avg, p99_latency_ms: avg },
});

describe('the figures of a project', () => {
  it('weigh latencies by the calls, and sum what models used', () => {
    const buckets = [
      bucket(1, 100, { m: { total_tokens: 5, total_cost: 0.25 } }),
      bucket(3, 20, { m: { total_tokens: 1 }, n: { total_tokens: 2, total_cost: 0.5 } }),
      bucket(9, null),
    ];
    expect(toFigures(buckets)).toEqual({ calls: 13, failed: 3, meanLatencyMs: 40, tokens: 8, costUsd: 0.75 });
  });

  it('are nothing of nothing', () => {
    expect(toFigures([])).toEqual({ calls: 0, failed: 0, meanLatencyMs: null, tokens: 0, costUsd: 0 });
  });
});
