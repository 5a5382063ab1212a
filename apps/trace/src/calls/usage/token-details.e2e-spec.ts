import { readTokenUsage } from '@hone/calls';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const AT = { started_at: '2026-11-01T10:00:00Z', ended_at: '2026-11-01T10:00:01Z' };
const DAY = { start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z', granularity: 86_400 };

/** The same request, 300 tokens of which 40 were read from a cache and 25 written, in spellings of clients. */
const SPELLINGS: [string, object][] = [
  [
    "OpenAI's chat API",
    {
      ...{ prompt_tokens: 300, completion_tokens: 50, total_tokens: 350 },
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 25 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
  ],
  [
    "OpenAI's Responses API",
    {
      ...{ input_tokens: 300, output_tokens: 50, total_tokens: 350 },
      input_tokens_details: { cached_tokens: 40, cache_write_tokens: 25 },
      output_tokens_details: { reasoning_tokens: 30 },
    },
  ],
  [
    "Anthropic's API",
    {
      ...{ input_tokens: 235, output_tokens: 50, cache_read_input_tokens: 40, cache_creation_input_tokens: 25 },
      reasoning_tokens: 30,
    },
  ],
  [
    'LangChain',
    {
      ...{ input_tokens: 300, output_tokens: 50, total_tokens: 350 },
      input_token_details: { cache_read: 40, cache_creation: 25 },
      output_token_details: { reasoning: 30 },
    },
  ],
  [
    'Langfuse',
    { input: 235, output: 50, input_cached_tokens: 40, input_cache_creation: 25, output_reasoning_tokens: 30 },
  ],
  [
    'numbers as text',
    {
      prompt_tokens: '300',
      completion_tokens: '50',
      cached_tokens: '40',
      cache_write_tokens: '25',
      reasoning_tokens: '30',
    },
  ],
];
const ODD: object[] = [
  {},
  { prompt_tokens: -1, completion_tokens: 'many' },
  { input_tokens: 5, output_tokens: 9, cache_read_input_tokens: 128_955, cache_creation_input_tokens: 1_253 },
  { prompt_tokens: 5, cached_tokens: 9 },
  { input_tokens: 30, output_tokens: 12, total_tokens: 42, cache_read_input_tokens: 10 },
  { prompt_tokens: 30, cache_read_input_tokens: 10, completion_tokens: 1 },
  { total_tokens: 7 },
  { prompt_tokens_details: null, input: 3, total: 3 },
];
const PRICE = {
  ...{ prompt_token_cost: 8, completion_token_cost: 4, effective_date: '2026-01-01T00:00:00Z' },
  ...{ cache_read_input_token_cost: 1, cache_creation_input_token_cost: 16, reasoning_token_cost: 2 },
};

describe('tokens of caches and of reasoning', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values, costs'));
  afterAll(() => trace.close());

  const store = async (...usages: object[]) => {
    const batch = usages.map((usage, n) => aWholeCall(`c${n}`, { ...AT, summary: { usage } }));
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
  };
  const ask = async (path: string, body: object) => (await client.post(path, { project_id: PROJECT, ...body })).json();
  const usageOf = async (model: string) =>
    (await ask('/calls/usage', { call_ids: ['c0'], include_costs: true })).call_usage.c0[model];
  const statsOf = async (model: string) => (await ask('/calls/stats', DAY)).buckets[0].usage[model];

  it.each(SPELLINGS)('are told apart and cost their own prices in the spelling of %s', async (_name, usage) => {
    await store({ m: { requests: 1, ...usage } });
    expect((await ask('/cost/create', { costs: { m: PRICE } })).ids).toHaveLength(1);
    const tokens = {
      ...{ requests: 1, prompt_tokens: 300, completion_tokens: 50, total_tokens: 350 },
      ...{ cache_read_input_tokens: 40, cache_creation_input_tokens: 25, reasoning_tokens: 30 },
    };
    const total_cost = 235 * 8 + 40 + 25 * 16 + 20 * 4 + 30 * 2;
    expect(await usageOf('m')).toEqual({
      ...tokens,
      ...{
        prompt_tokens_total_cost: 235 * 8 + 40 + 25 * 16,
        completion_tokens_total_cost: 20 * 4 + 30 * 2,
        total_cost,
      },
      ...{ cache_read_input_tokens_total_cost: 40, cache_creation_input_tokens_total_cost: 400 },
      reasoning_tokens_total_cost: 60,
    });
    expect(await statsOf('m')).toEqual({ ...tokens, total_cost });
  });

  it('cost as much as other tokens where they have no price', async () => {
    await store({ m: { prompt_tokens: 10, cached_tokens: 4, completion_tokens: 2, reasoning_tokens: 1 } });
    await ask('/cost/create', {
      costs: { m: { prompt_token_cost: 2, completion_token_cost: 3, effective_date: '2026-01-01T00:00:00Z' } },
    });
    expect((await usageOf('m')).total_cost).toBe(26);
    expect((await statsOf('m')).total_cost).toBe(26);
  });

  it.each([...SPELLINGS.map(([, usage]) => usage), ...ODD])(
    'are read in statistics as anywhere else: %j',
    async (usage) => {
      await store({ m: usage });
      const read = readTokenUsage(usage as never);
      expect(await statsOf('m')).toMatchObject({
        prompt_tokens: read?.prompt_tokens ?? 0,
        completion_tokens: read?.completion_tokens ?? 0,
        total_tokens: read?.total_tokens ?? 0,
      });
      const { cache_read_input_tokens, cache_creation_input_tokens } = await usageOf('m');
      expect({ cache_read_input_tokens, cache_creation_input_tokens }).toEqual({
        cache_read_input_tokens: read?.cached_tokens,
        cache_creation_input_tokens: read?.cache_write_tokens,
      });
    },
  );

  it('have the prices of the built-in list, which the project overrides', async () => {
    const used = { prompt_tokens: 1_000_000, cached_tokens: 200_000, completion_tokens: 1_000_000 };
    await store({ 'openai/gpt-4o-2024-08-06': used, 'my-own': used });
    expect(await usageOf('openai/gpt-4o-2024-08-06')).toMatchObject({
      total_cost: expect.closeTo(0.8 * 2.5 + 0.2 * 1.25 + 10),
    });
    expect(await usageOf('my-own')).not.toHaveProperty('total_cost');
    expect((await statsOf('openai/gpt-4o-2024-08-06')).total_cost).toBeCloseTo(0.8 * 2.5 + 0.2 * 1.25 + 10);
    const free = { prompt_token_cost: 0, completion_token_cost: 0, effective_date: '2026-01-01T00:00:00Z' };
    await ask('/cost/create', { costs: { 'openai/gpt-4o-2024-08-06': free } });
    expect((await usageOf('openai/gpt-4o-2024-08-06')).total_cost).toBe(0);
    expect((await statsOf('openai/gpt-4o-2024-08-06')).total_cost).toBe(0);
  });

  it('keep the prices that SDKs send, of which 0 is one that nobody set', async () => {
    const price = { prompt_token_cost: 1, completion_token_cost: 2 };
    const send = (costs: object) => client.post('/compat/weave/cost/create', { project_id: PROJECT, costs });
    expect(
      (await send({ a: { ...price, cache_read_input_token_cost: 0.5, cache_creation_input_token_cost: 0 } })).status,
    ).toBe(200);
    const fields = ['model', 'cache_read_input_token_cost', 'cache_creation_input_token_cost'];
    expect((await ask('/cost/query', { fields })).result).toEqual([
      { model: 'a', cache_read_input_token_cost: 0.5, cache_creation_input_token_cost: null },
    ]);
  });
});
