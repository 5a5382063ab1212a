import type { CallStatsResultDto } from '@hone/contracts';

/** Answers that have another shape than ours: path below the surface -> the SDKs' answer, made of ours. */
export const REBUILT: ReadonlyMap<string, (answer: never) => object> = new Map([['/calls/stats', toSdkCallStats]]);

/**
 * The SDKs read one list by time, and one by time and model, whose keys are `<aggregation>_<metric>`. They hold every
 * metric that we count, whichever were asked for; one that we do not count is absent.
 */
function toSdkCallStats({ buckets, ...range }: CallStatsResultDto): object {
  const calls = buckets.map(({ timestamp, count, error_count, ...latencies }) => ({
    ...{ timestamp, count, sum_call_count: count, count_call_count: count, sum_error_count: error_count },
    avg_latency_ms: latencies.avg_latency_ms,
    p50_latency_ms: latencies.p50_latency_ms,
    p95_latency_ms: latencies.p95_latency_ms,
    p99_latency_ms: latencies.p99_latency_ms,
  }));
  const usage = buckets.flatMap(({ timestamp, usage: models }) =>
    Object.entries(models).map(([model, used]) => ({ timestamp, model, ...toSdkUsage(used) })),
  );
  return { ...range, call_buckets: calls, usage_buckets: usage };
}

/** Metric of the SDKs -> our sum. */
const USAGE_METRICS = {
  input_tokens: 'prompt_tokens',
  output_tokens: 'completion_tokens',
  total_tokens: 'total_tokens',
  total_cost: 'total_cost',
};

function toSdkUsage(used: Readonly<Record<string, number>>): Record<string, number> {
  const requests = used['requests'] ?? 0;
  const metrics: Record<string, number> = { count: requests };
  for (const [theirs, ours] of Object.entries(USAGE_METRICS)) {
    const sum = used[ours];
    if (sum === undefined) continue;
    metrics[`sum_${theirs}`] = sum;
    if (requests > 0) metrics[`avg_${theirs}`] = sum / requests;
  }
  return metrics;
}
