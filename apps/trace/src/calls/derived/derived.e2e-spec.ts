import { DERIVED_COLUMNS } from '@hone/calls';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { forgetDerived } from '../../testing/derived.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { DeriveJob } from './derive-job.js';

const LONG = 'word '.repeat(40_000);
const say = (role: string, content: unknown) => ({ role, content });
const answered = (message: object) => ({ choices: [{ index: 0, message: { role: 'assistant', ...message } }] });

/** Each call by its id, with some of what is derived of it. */
const CALLS: Record<string, { body: Record<string, unknown>; derived: object }> = {
  chat: {
    body: {
      attributes: { user: 'ada', prompt: { id: 'greet', version: 'v3' }, checkpoint: 'c-1', ttft_ms: 42.5 },
      inputs: { model: 'm', messages: [say('system', 'Be kind.'), say('user', 'Who are\n\nyou?'), say('tool', '{}')] },
      output: answered({ content: 'Hone.' }),
      summary: {
        usage: {
          m: { requests: 1, prompt_tokens: 30, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 40 } },
        },
      },
    },
    derived: {
      ...{ end_user: 'ada', prompt_ref: 'greet@v3', checkpoint_id: 'c-1', first_token_ms: 42.5, model: 'm' },
      ...{
        input_preview: 'Who are you?',
        output_preview: 'Hone.',
        total_tokens: 75,
        cached_tokens: 40,
        usage_by_model: null,
      },
    },
  },
  tools: {
    body: {
      inputs: {
        messages: [
          say('user', [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'x' } },
          ]),
        ],
      },
      output: answered({ content: null, tool_calls: [{ function: { name: 'look', arguments: '{"a":1}' } }] }),
    },
    derived: { input_preview: 'Look', output_preview: 'look({"a":1})', model: null },
  },
  responses: {
    body: {
      inputs: { input: [say('user', 'first'), say('user', [{ type: 'input_text', text: 'second' }])] },
      output: {
        output: [
          { type: 'reasoning', content: [] },
          { type: 'message', content: [{ type: 'output_text', text: 'third' }] },
        ],
      },
    },
    derived: { input_preview: 'second', output_preview: 'third' },
  },
  anthropic: {
    body: {
      inputs: { messages: [say('user', 'hi')] },
      output: { role: 'assistant', content: [{ type: 'tool_use', name: 'f', input: { b: 2 } }] },
    },
    derived: { input_preview: 'hi', output_preview: 'f({"b":2})' },
  },
  plain: {
    body: { inputs: { question: 'Why?' }, output: 'Because' },
    derived: { input_preview: 'Why?', output_preview: 'Because' },
  },
  numbers: {
    body: { inputs: { a: 1, b: [2, 3] }, output: 7 },
    derived: { input_preview: '{"a":1,"b":[2,3]}', output_preview: '7' },
  },
  nothing: { body: { inputs: {}, output: null }, derived: { input_preview: null, output_preview: null } },
  odd: {
    body: {
      inputs: { q: 'a\0b\ud800' },
      output: { content: '😀'.repeat(300) },
      summary: { usage: { '': { requests: 'x' }, n: 3 } },
    },
    derived: { output_preview: '😀'.repeat(200), model: '', requests: 0 },
  },
  long: {
    body: {
      inputs: { messages: [say('user', LONG), say('user', 'last')] },
      output: { choices: [{ message: say('assistant', LONG) }] },
    },
    derived: { input_preview: 'last', output_preview: 'word '.repeat(40).trim() },
  },
  failed: {
    body: { exception: 'openai.RateLimitError: Too many', output: null },
    derived: { error_class: 'openai.RateLimitError', output_preview: null },
  },
  two: {
    body: { summary: { usage: { small: { prompt_tokens: 1 }, large: { prompt_tokens: 9, completion_tokens: 1 } } } },
    derived: { model: 'large', total_tokens: 10, usage_by_model: [{ mo: 'small', rq: 0, pt: 1, ct: 0, tt: 1 }] },
  },
  sum: {
    body: { summary: { usage: { m: { prompt_tokens: 1 } }, status_counts: { success: 2 } } },
    derived: { model: null, total_tokens: null },
  },
};

describe('columns that are derived of values', () => {
  let trace: TestApp;
  let client: TestClient;
  let job: DeriveJob;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    job = trace.app.get(DeriveJob, { strict: false });
    const batch = Object.entries(CALLS).map(([id, { body }]) => aWholeCall(id, body));
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
  });
  afterAll(() => trace.close());

  const read = async (): Promise<Record<string, Record<string, unknown>>> =>
    Object.fromEntries(
      (
        await trace.sql<{ id: string }>(
          `SELECT id, is_start_derived, is_end_derived, ${DERIVED_COLUMNS.join()} FROM calls`,
        )
      ).map(({ id, ...row }) => [id, row]),
    );
  const forget = (condition?: string) => forgetDerived(trace.sql, condition);
  const stats = async () => {
    const range = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z', granularity: 31 * 86_400 };
    return (await client.post('/calls/stats', { project_id: PROJECT, ...range })).text;
  };

  it('are filled when calls are written', async () => {
    const calls = await read();
    for (const [id, { derived }] of Object.entries(CALLS))
      expect([id, calls[id]]).toEqual([id, expect.objectContaining(derived)]);
    expect(await job.run()).toBe(0);
  });

  it('are filled by a job where an earlier version wrote the calls, which count the same meanwhile', async () => {
    const [calls, counted] = [await read(), await stats()];
    await forget();
    expect(await stats()).toBe(counted);
    expect(await job.run()).toBe(Object.keys(CALLS).length);
    expect(await read()).toEqual(calls);
    expect(await stats()).toBe(counted);
  });

  it('are derived of each half by itself, the later of two that were sent', async () => {
    await client.post('/call/start', { start: aCallStart('halves', { inputs: { q: 'one' } }) });
    expect((await read())['halves']).toMatchObject({
      is_start_derived: true,
      is_end_derived: false,
      input_preview: 'one',
    });
    expect(await job.run()).toBe(0);
    await client.post('/call/end', { end: aCallEnd('halves', { output: 'two' }) });
    await client.post('/call/start', { start: aCallStart('halves', { inputs: { q: 'three' } }) });
    expect((await read())['halves']).toMatchObject({
      is_end_derived: true,
      input_preview: 'three',
      output_preview: 'two',
    });
    await forget(`id = 'halves'`);
    await client.post('/call/start', { start: aCallStart('halves', { inputs: { q: 'four' } }) });
    expect((await read())['halves']).toMatchObject({
      is_end_derived: false,
      input_preview: 'four',
      output_preview: null,
    });
    expect(await job.run()).toBe(1);
    expect((await read())['halves']).toMatchObject({ input_preview: 'four', output_preview: 'two' });
  });

  it('are answered by name, with costs and the sums of the trace', async () => {
    const usage = (model: string, prompt: number) => ({
      usage: { [model]: { requests: 1, prompt_tokens: prompt, completion_tokens: 2 } },
    });
    const batch = [
      aWholeCall('root', { trace_id: 'tree', inputs: { q: 'Why?' }, output: 'So' }),
      aWholeCall('one', {
        trace_id: 'tree',
        parent_id: 'root',
        summary: usage('priced', 10),
        attributes: { user: 'eve' },
      }),
      aWholeCall('two', {
        ...{ trace_id: 'tree', parent_id: 'root', summary: usage('free', 500), exception: 'KeyError: x' },
      }),
    ];
    await client.post('/v2/acme/demo/calls/complete', { batch });
    const costs = {
      priced: { prompt_token_cost: 0.5, completion_token_cost: 1, effective_date: '2026-01-01T00:00:00Z' },
    };
    await client.post('/cost/create', { project_id: PROJECT, costs });
    const names = ['model', 'total_tokens', 'cost', 'user', 'error_class', 'input_preview', 'output_preview', 'trace'];
    const columns = names.map((name) => `summary.hone.${name}`);
    const ask = async (more: object = {}) => {
      const filter = { trace_ids: ['tree'] };
      const { text } = await client.post('/calls/stream_query', { project_id: PROJECT, filter, columns, ...more });
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    const fields = (values: unknown[]) => Object.fromEntries(columns.map((column, index) => [column, values[index]]));
    const tokens = { prompt_tokens: 510, completion_tokens: 4, total_tokens: 514 };
    const sums = { calls: 3, errors: 1, models: ['free', 'priced'], ...tokens, cost: 7 };
    const common = { project_id: PROJECT };
    expect(await ask()).toEqual([
      { id: 'one', ...common, ...fields(['priced', 12, 7, 'eve', null, '2+2', '4', sums]) },
      { id: 'root', ...common, ...fields([null, null, null, null, null, 'Why?', 'So', sums]) },
      { id: 'two', ...common, ...fields(['free', 502, null, null, 'KeyError', '2+2', '4', sums]) },
    ]);
    const where = (field: string, value: unknown) => ({
      query: { $expr: { $eq: [{ $getField: field }, { $literal: value }] } },
    });
    expect((await ask(where('summary.hone.user', 'eve'))).map(({ id }) => id)).toEqual(['one']);
    expect((await ask(where('summary.hone.error_class', 'KeyError'))).map(({ id }) => id)).toEqual(['two']);
    const facets = { project_id: PROJECT, filter: { trace_ids: ['tree'] }, fields: ['summary.hone.error_class'] };
    expect((await client.post('/calls/facets', facets)).json().facets[0].values).toEqual([
      { value: null, count: 2 },
      { value: 'KeyError', count: 1 },
    ]);
    expect((await ask(where('summary.hone.total_tokens', 502))).map(({ id }) => id)).toEqual(['two']);
    expect(
      (await ask({ sort_by: [{ field: 'summary.hone.total_tokens', direction: 'desc' }] })).map(({ id }) => id),
    ).toEqual(['two', 'one', 'root']);
    for (const body of [
      where('summary.hone.cost', 1),
      { sort_by: [{ field: 'summary.hone.trace', direction: 'asc' }] },
    ])
      expect((await client.post('/calls/stream_query', { project_id: PROJECT, ...body })).status).toBe(422);
    // Asked for with the summary, costs do not become a part of it.
    expect((await ask({ columns: ['summary', 'summary.hone.cost'] }))[0].summary.hone).not.toHaveProperty('costs');
  });

  it('are shared out among processes, each call to one', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => aWholeCall(`many-${n}`, { inputs: { n } }));
    await client.post('/v2/acme/demo/calls/complete', { batch: many });
    await forget(`id LIKE 'many-%'`);
    const counts = await Promise.all([job.run(), job.run(), job.run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1_200);
    expect(await job.run()).toBe(0);
  });
});
