import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallStart, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { ErasureJob } from '../erasure/erasure-job.js';

const used = (model: string, prompt: number, completion: number, more: object = {}) => ({
  summary: { usage: { [model]: { requests: 1, prompt_tokens: prompt, completion_tokens: completion } }, ...more },
});
const sums = (requests: number, prompt: number, completion: number, more: object = {}) => ({
  ...{ requests, prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  ...more,
});

describe('usage, costs and settings', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const calls = [
      aWholeCall('a', { ...used('m', 1, 2), thread_id: 'th', turn_id: 'u1' }),
      aWholeCall('b', {
        ...{ ...used('m', 10, 20), parent_id: 'a', thread_id: 'th', turn_id: 'u1' },
        ...{ started_at: '2026-01-15T09:59:00.500Z', exception: 'no' },
      }),
      aWholeCall('c', {
        ...{ parent_id: 'b', started_at: '2026-01-15T11:00:00Z', ended_at: '2026-01-15T11:00:04Z', thread_id: 'th' },
        summary: { usage: { n: { input_tokens: 5, output_tokens: 'x', total_tokens: 6 }, odd: 3 } },
      }),
      // Written by an SDK that sums descendants.
      aWholeCall('sum', { ...used('m', 100, 0, { status_counts: { success: 2, error: 0 } }), trace_id: 't2' }),
      aWholeCall('part', { ...used('m', 100, 0, { status_counts: { success: 1 } }), parent_id: 'sum', trace_id: 't2' }),
    ];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch: calls })).status).toBe(200);
    await client.post('/call/start', {
      start: aCallStart('runs', { parent_id: 'a', started_at: '2026-01-16T00:00:00Z' }),
    });
  });
  afterAll(() => trace.close());

  const ask = async (path: string, body: object) => {
    const { status, text, json } = await client.post(path, { project_id: PROJECT, ...body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json();
  };

  it('sums what calls and their descendants used, each call once', async () => {
    expect(await ask('/calls/usage', { call_ids: ['a', 'b', 'sum', 'none'] })).toEqual({
      call_usage: {
        a: { m: sums(2, 11, 22), n: { ...sums(0, 5, 0), total_tokens: 6 } },
        b: { m: sums(1, 10, 20), n: { ...sums(0, 5, 0), total_tokens: 6 } },
        sum: { m: sums(1, 100, 0) },
      },
      unfinished_call_ids: ['runs'],
    });
    expect(await ask('/calls/usage', { call_ids: ['a'], project_id: 'acme/nothing' })).toEqual({
      ...{ call_usage: {}, unfinished_call_ids: [] },
    });
    const many = await client.post('/calls/usage', { project_id: PROJECT, call_ids: ['a'], limit: 2 });
    expect([many.status, many.json().detail]).toEqual([
      422,
      [{ loc: ['body', 'limit'], msg: 'There are more than 2 calls to sum up', type: 'value_error' }],
    ]);
  });

  it('sums the same of all calls that match', async () => {
    const { call_usage, unfinished_call_ids } = await ask('/trace/usage', { filter: { trace_ids: ['t1'] } });
    expect(Object.keys(call_usage).sort()).toEqual(['a', 'b', 'c', 'runs']);
    expect(call_usage).toMatchObject({ a: { m: sums(2, 11, 22) }, c: { n: { total_tokens: 6 } }, runs: {} });
    expect(unfinished_call_ids).toEqual(['runs']);
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'a' }] } };
    expect(await ask('/trace/usage', { query })).toMatchObject({ call_usage: { a: { m: sums(1, 1, 2) } } });
  });

  it('keeps prices, the newest of them before a call counts', async () => {
    const price = (prompt: number, effective_date?: string) => ({
      m: { prompt_token_cost: prompt, completion_token_cost: 0.5, ...(effective_date && { effective_date }) },
    });
    const create = async (costs: object): Promise<string> => {
      const { ids } = await ask('/cost/create', { costs });
      expect(ids).toEqual([[expect.any(String), 'm']]);
      return ids[0][0];
    };
    const old = await create(price(0.25, '2026-01-01T00:00:00Z'));
    const later = await create(price(9, '2026-01-15T09:59:00.100Z'));
    await create(price(7));
    const costs = { prompt_token_cost: 0.25, completion_token_cost: 0.5, total_cost: 1.25 };
    const { call } = await ask('/call/read', { id: 'a', include_costs: true });
    expect(call.summary.hone.costs.m).toMatchObject({
      ...costs,
      provider_id: 'default',
      prompt_tokens_total_cost: 0.25,
    });
    expect((await ask('/calls/usage', { call_ids: ['a'], include_costs: true })).call_usage.a.m).toEqual(
      sums(2, 11, 22, { prompt_tokens_total_cost: 90.25, completion_tokens_total_cost: 11, total_cost: 101.25 }),
    );
    const query = { $expr: { $lt: [{ $getField: 'prompt_token_cost' }, { $literal: 8 }] } };
    const sort_by = [{ field: 'prompt_token_cost', direction: 'desc' }];
    expect(await ask('/cost/query', { query, sort_by, fields: ['prompt_token_cost', 'model'], limit: 1 })).toEqual({
      result: [{ prompt_token_cost: 7, model: 'm' }],
      total_count: 2,
    });
    const { result } = await ask('/cost/query', {
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: old }] } },
    });
    expect(result).toEqual([
      {
        ...{ id: old, project_id: PROJECT, model: 'm', provider_id: 'default', prompt_token_cost: 0.25 },
        ...{ completion_token_cost: 0.5, effective_date: '2026-01-01T00:00:00.000Z', created_by: trace.writer.id },
        created_at: expect.any(String),
      },
    ]);
    const everything = { $expr: { $gt: [{ $getField: 'id' }, { $literal: '' }] } };
    expect((await client.post('/cost/purge', { project_id: PROJECT, query: everything })).status).toBe(422);
    const named = { $expr: { $in: [{ $getField: 'id' }, [{ $literal: later }, { $literal: 'none' }]] } };
    expect(await ask('/cost/purge', { query: named })).toEqual({});
    expect((await ask('/cost/query', {})).total_count).toBe(2);
  });

  it('names the wrong price', async () => {
    const costs = { m: { prompt_token_cost: -1 }, n: 5, '': { prompt_token_cost: 1, completion_token_cost: 1, x: 1 } };
    const { status, json } = await client.post('/cost/create', { project_id: PROJECT, costs });
    expect([status, json().detail.map(({ loc, type }: Record<string, unknown>) => [loc, type])]).toEqual([
      422,
      [
        [['body', 'costs', 'm', 'prompt_token_cost'], 'greater_than_equal'],
        [['body', 'costs', 'm', 'completion_token_cost'], 'missing'],
        [['body', 'costs', 'n'], 'dict_type'],
        [['body', 'costs', ''], 'string_too_short'],
        [['body', 'costs', '', 'x'], 'extra_forbidden'],
      ],
    ]);
  });

  it('counts calls by time', async () => {
    const range = { start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z' };
    const { buckets, ...rest } = await ask('/calls/stats', { ...range, filter: { trace_ids: ['t1'] } });
    expect(rest).toEqual({
      ...{ start: '2026-01-15T00:00:00.000Z', end: '2026-01-16T00:00:00.000Z', granularity: 900, timezone: 'UTC' },
    });
    expect(buckets).toEqual([
      {
        ...{
          timestamp: '2026-01-15T09:45:00.000Z',
          count: 2,
          error_count: 1,
          avg_latency_ms: 750,
          p50_latency_ms: 750,
        },
        ...{ p95_latency_ms: expect.closeTo(975), p99_latency_ms: expect.closeTo(995) },
        usage: { m: expect.objectContaining(sums(2, 11, 22)) },
      },
      {
        ...{ timestamp: '2026-01-15T11:00:00.000Z', count: 1, error_count: 0, avg_latency_ms: 4_000 },
        ...{ p50_latency_ms: 4_000, p95_latency_ms: 4_000, p99_latency_ms: 4_000 },
        usage: { n: { ...sums(0, 5, 0), total_tokens: 6 } },
      },
    ]);
    const all = await ask('/calls/stats', { ...range, granularity: 86_400, timezone: 'Pacific/Auckland' });
    expect(all.buckets.map(({ timestamp, count }: Record<string, unknown>) => [timestamp, count])).toEqual([
      ['2026-01-14T11:00:00.000Z', 4],
      ['2026-01-15T11:00:00.000Z', 1],
    ]);
    // What sums its descendants is not counted beside them.
    expect(all.buckets[0].usage.m).toMatchObject(sums(3, 111, 22));
    for (const wrong of [{ end: '2026-01-14T00:00:00Z' }, { timezone: 'Nowhere/X' }, { granularity: 0 }])
      expect((await client.post('/calls/stats', { project_id: PROJECT, ...range, ...wrong })).status).toBe(422);
    expect((await ask('/calls/stats', { ...range, project_id: 'acme/nothing' })).buckets).toEqual([]);
  });

  it('lists conversations by their turns', async () => {
    const lines = async (body: object) =>
      (await client.post('/threads/stream_query', { project_id: PROJECT, ...body })).text
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    expect(await lines({})).toEqual([
      {
        ...{ thread_id: 'th', turn_count: 2, start_time: '2026-01-15T09:59:00.000Z' },
        ...{ last_updated: '2026-01-15T11:00:04.000Z', p50_turn_duration_ms: 2_500 },
        p99_turn_duration_ms: expect.closeTo(3_970),
      },
    ]);
    expect(await lines({ filter: { before_datetime: '2026-01-15T10:00:00Z', thread_ids: ['th'] } })).toMatchObject([
      { turn_count: 1 },
    ]);
    // The other turn is of a call that was made outside of the conversation.
    const [withCalls] = await lines({ with_calls: true, limit: 5 });
    expect(withCalls).toMatchObject({ turn_count: 2, first_call_id: 'a', last_call_id: 'a' });
    expect(await lines({ filter: { after_datetime: '2027-01-01T00:00:00Z' } })).toEqual([]);
    expect(await lines({ project_id: 'acme/nothing' })).toEqual([]);
  });

  it('counts what a project stores', async () => {
    expect(await ask('/project/stats', {})).toMatchObject({ call_count: 6, object_version_count: 0, file_count: 0 });
    expect((await ask('/project/stats', {})).calls_size_bytes).toBeGreaterThan(100);
    const table = { project_id: 'acme/tables', rows: [{ a: 1 }, { a: 2 }, { a: 1 }] };
    for (const rows of [table.rows, table.rows.slice(0, 2)])
      expect((await client.post('/table/create', { table: { ...table, rows } })).status).toBe(200);
    expect((await client.post('/project/stats', { project_id: 'acme/tables' })).json()).toMatchObject({
      ...{ table_count: 2, tables_size_bytes: 2 * '{"a": 1}'.length },
    });
    expect((await client.post('/project/stats', { project_id: 'acme/nothing' })).status).toBe(404);
  });

  it('keeps of chats what an owner says', async () => {
    const owner = trace.as(await trace.user('lena', { roles: { acme: 'owner' } }));
    const read = async () => (await client.post('/project/call_logging/read', { project_id: PROJECT })).json();
    expect(await read()).toEqual({ log_calls: 'full', redact: null });
    const update = (who: TestClient, log_calls: unknown) =>
      who.post('/project/call_logging/update', { project_id: PROJECT, log_calls });
    expect((await update(client, 'off')).status).toBe(403);
    expect((await update(owner, 'none')).status).toBe(422);
    expect((await update(owner, 'metadata')).json()).toEqual({ log_calls: 'metadata', redact: null });
    expect(await read()).toEqual({ log_calls: 'metadata', redact: null });
    // Settings of one kind leave those of another as they are.
    const days = { project_id: PROJECT, retention_days: 36_500 };
    expect((await owner.post('/project/ttl_settings/update', days)).json()).toEqual({ retention_days: 36_500 });
    expect(await read()).toEqual({ log_calls: 'metadata', redact: null });
    await owner.post('/project/ttl_settings/update', { ...days, retention_days: null });
  });

  describe('redaction of chats', () => {
    const PATHS = ['inputs.messages.*.name', 'output', 'thread', 'metadata.mail'];
    let owner: TestClient | undefined;
    const update = async (redact?: unknown) => {
      owner ??= trace.as(await trace.user('nora', { roles: { acme: 'owner' } }));
      return owner.post('/project/call_logging/update', { project_id: PROJECT, log_calls: 'full', redact });
    };

    it('is set, kept where an update says nothing of it, and removed', async () => {
      const redact = { paths: PATHS, patterns: ['(?i)[a-z.]+@[a-z.]+', '\\d{4}'] };
      expect((await update(redact)).json()).toEqual({ log_calls: 'full', redact });
      expect((await update()).json()).toEqual({ log_calls: 'full', redact });
      const { json } = await client.post('/project/call_logging/read', { project_id: PROJECT });
      expect(json()).toEqual({ log_calls: 'full', redact });
      expect((await update(null)).json()).toEqual({ log_calls: 'full', redact: null });
    });

    it.each([
      [{ paths: [], patterns: ['('] }, ['patterns', 0], 'value_error'],
      [{ paths: [], patterns: ['a', '(?=b)'] }, ['patterns', 1], 'value_error'],
      [{ paths: [], patterns: ['(a)\\1'] }, ['patterns', 0], 'value_error'],
      [{ paths: [], patterns: ['((a{30}){30}){30}'] }, ['patterns', 0], 'value_error'],
      [{ paths: [], patterns: [''] }, ['patterns', 0], 'string_too_short'],
      [{ paths: [], patterns: ['x'.repeat(513)] }, ['patterns', 0], 'string_too_long'],
      [{ paths: [], patterns: Array(21).fill('x') }, ['patterns'], 'too_many'],
      [{ paths: Array(51).fill('output'), patterns: [] }, ['paths'], 'too_many'],
      [{ paths: ['inputs'], patterns: [] }, ['paths', 0], 'string_pattern_mismatch'],
      [{ paths: ['inputs.'], patterns: [] }, ['paths', 0], 'string_pattern_mismatch'],
      [{ paths: ['$.inputs'], patterns: [] }, ['paths', 0], 'string_pattern_mismatch'],
      [{ paths: [`inputs${'.a'.repeat(17)}`], patterns: [] }, ['paths', 0], 'string_pattern_mismatch'],
      [{ paths: ['output'] }, ['patterns'], 'missing'],
      ['all', [], 'dict_type'],
    ])('refuses %j', async (redact, loc, type) => {
      const { status, json } = await update(redact);
      expect([status, json().detail]).toEqual([
        422,
        [{ loc: ['body', 'redact', ...loc], msg: expect.any(String), type }],
      ]);
    });
  });

  it('keeps calls as long as an owner says, and then deletes them with their values', async () => {
    const owner = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
    const project_id = 'acme/kept';
    const old = aWholeCall('old', { project_id });
    const fresh = aWholeCall('fresh', { project_id, started_at: new Date().toISOString() });
    await client.post('/v2/acme/kept/calls/complete', { batch: [old, fresh, aWholeCall('deleted', { project_id })] });
    await client.post('/calls/delete', { project_id, call_ids: ['deleted'] });
    expect((await client.post('/project/ttl_settings/read', { project_id })).json()).toEqual({ retention_days: null });
    const update = (who: TestClient, body: object) => who.post('/project/ttl_settings/update', { project_id, ...body });
    expect((await update(client, { retention_days: 30 })).status).toBe(403);
    for (const wrong of [{}, { retention_days: 0 }, { retention_days: '1' }])
      expect((await update(owner, wrong)).status).toBe(422);
    const dry = { retention_days: 30, dry_run: true };
    expect((await update(client, dry)).status).toBe(403);
    expect((await update(owner, { ...dry, dry_run: 1 })).status).toBe(422);
    const counted = (await update(owner, dry)).json();
    expect(counted).toEqual({ retention_days: 30, expired_calls: 2, expired_size_bytes: expect.any(Number) });
    expect(counted.expired_size_bytes).toBeGreaterThan(20);
    for (const [retention_days, expired_calls] of [
      [36_500, 0],
      [null, 0],
    ])
      expect((await update(owner, { ...dry, retention_days })).json()).toMatchObject({ retention_days, expired_calls });
    expect((await client.post('/project/ttl_settings/read', { project_id })).json()).toEqual({ retention_days: null });
    // The content of the deleted call goes now, the call itself when it has expired.
    expect(await trace.app.get(ErasureJob, { strict: false }).run()).toBe(1);
    expect((await update(owner, { retention_days: 30, dry_run: false })).json()).toEqual({ retention_days: 30 });
    const { call } = (await client.post('/call/read', { project_id, id: 'old' })).json();
    expect(call.expire_at).toBe('2026-02-14T09:59:00.000Z');
    expect(await trace.app.get(ErasureJob, { strict: false }).run()).toBe(2);
    const left = (table: string) =>
      trace.sql(`SELECT t.id FROM ${table} t JOIN projects p ON p.id = t.project_id WHERE p.name = 'kept'`);
    expect([await left('calls'), await left('call_values')]).toEqual([[{ id: 'fresh' }], [{ id: 'fresh' }]]);
    expect((await update(owner, { retention_days: null })).json()).toEqual({ retention_days: null });
    expect((await ask('/project/stats', {})).call_count).toBe(6);
  });
});
