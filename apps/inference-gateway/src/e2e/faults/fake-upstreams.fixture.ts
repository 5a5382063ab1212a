import type { FakeUpstream } from '@hone/testing/fakes';

/** Long limits for a busy machine, except for targets that are meant to be silent. */
const LIMITS = {
  ...{ ttft_ms: 60_000, ttft_last_ms: 60_000, stall_ms: 60_000, response_ms: 60_000, done_grace_ms: 60_000 },
  ...{ connect_ms: 60_000, backoff_ms: 1, cooling_ms: 1, cooling_max_ms: 1, out_ms: 1, breaker_failures: 1_000 },
};

/** Upstreams by the time limit that their models exceed; that limit is short. */
const SILENCES = [
  {
    upstream: 'mute',
    models: /^(silent|headers-only)/,
    limits: { ttft_ms: 200, ttft_last_ms: 200, response_ms: 200, stall_ms: 200 },
  },
  { upstream: 'stalling', models: /^stall/, limits: { stall_ms: 400 } },
  { upstream: 'endless', models: /^no-done(\+|$)/, limits: { done_grace_ms: 150 } },
  { upstream: 'faulty', models: /^/, limits: {} },
] as const;

/** USD per million tokens: the fake's answer of 9 + 9 tokens, 4 of them cached, costs 25,000 nano-USD. */
export const PRICE = { prompt: 1, cached: 0.5, completion: 2 };
export const COST_NANO_USD = 25_000;

/** Configuration of a fake upstream with these models. */
export function fakeUpstream(fake: FakeUpstream, name: string, models: readonly string[], more: object = {}): object {
  return {
    name,
    kind: 'openai-compatible',
    base_url: fake.baseUrl,
    dialect: 'vllm',
    token_frames: true,
    ...LIMITS,
    models: [...new Set(models)].map((model) => ({ name: model })),
    ...more,
  };
}

/** The upstreams of one fake. */
export function faultyUpstreams(fake: FakeUpstream, models: readonly string[], more: object = {}): object[] {
  return SILENCES.map(({ upstream, limits }) => {
    const own = models.filter((model) => upstreamOf(model) === upstream);
    return fakeUpstream(fake, upstream, own, { ...limits, ...more });
  });
}

export const upstreamOf = (model: string): string =>
  SILENCES.find(({ models }) => models.test(model))?.upstream ?? 'faulty';

/** A route to targets, each in a tier of its own. */
export function routeTo(id: string, ...targets: { upstream: string; model: string }[]): object {
  return { id, price: PRICE, targets: targets.map((target, priority) => ({ ...target, priority })) };
}
