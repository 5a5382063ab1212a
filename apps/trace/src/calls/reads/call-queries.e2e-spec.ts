import { startTestApp, statementsOf, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aFeedback, anObject, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const field = ($getField: string) => ({ $getField });
const literal = ($literal: unknown) => ({ $literal });

describe('POST /calls/stream_query', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const op = (name: string) => `hone:///acme/demo/op/${name}`;
    const calls = [
      aWholeCall('a', { op_name: op('predict:v0'), inputs: { n: 1.5, q: 'x' }, thread_id: 'th', run_id: 'r1' }),
      aWholeCall('b', {
        ...{ op_name: op('predict:v1'), parent_id: 'a', started_at: '2026-01-15T09:59:00.100Z', trace_id: 't1' },
        ...{ exception: 'no', turn_id: 'tu', inputs: { data: 'hone:///acme/demo/object/cfg:latest' } },
      }),
      aWholeCall('c', {
        ...{ op_name: 'plain', trace_id: 't2', display_name: 'shown', started_at: '2026-01-15T09:58:00Z' },
        ...{ summary: { status_counts: { error: 2 }, hone: 'mine', 'a"b': 1.0 }, inputs: { n: 20 }, output: [1, 2, 3] },
      }),
    ];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch: calls })).status).toBe(200);
    const start = aCallStart('d', { started_at: '2026-01-15T10:00:00Z', trace_id: 't3', inputs: { n: '3' } });
    expect((await client.post('/call/start', { start })).status).toBe(200);
    expect((await client.post('/call/end', { end: aCallEnd('no-start') })).status).toBe(200);
  });
  afterAll(() => trace.close());

  const query = async (body: object = {}): Promise<Record<string, unknown>[]> => {
    const { status, text, headers } = await client.post('/calls/stream_query', { project_id: PROJECT, ...body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  };
  const ids = async (body: object) => (await query({ columns: ['id'], ...body })).map(({ id }) => id).join('');
  const where = ($expr: object) => ids({ query: { $expr } });

  it('answers whole calls by default, oldest first, without those that have no start', async () => {
    const calls = await query();
    expect(calls.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
    expect(calls[1]).toEqual({
      id: 'a',
      project_id: PROJECT,
      op_name: 'hone:///acme/demo/op/predict:v0',
      display_name: null,
      trace_id: 't1',
      parent_id: null,
      thread_id: 'th',
      turn_id: null,
      started_at: '2026-01-15T09:59:00.000Z',
      ended_at: '2026-01-15T09:59:01.000Z',
      exception: null,
      attributes: {},
      inputs: { n: 1.5, q: 'x' },
      output: '4',
      summary: { hone: { status: 'descendant_error', latency_ms: 1_000, trace_name: 'predict' } },
      svc_user_id: trace.writer.id,
      run_id: 'r1',
      run_step: null,
      run_step_end: null,
      deleted_at: null,
      expire_at: null,
    });
    expect(calls[0]).toMatchObject({
      summary: {
        ...{ status_counts: { error: 2 }, 'a"b': 1 },
        hone: { status: 'descendant_error', latency_ms: 61_000, trace_name: 'shown' },
      },
    });
    expect(calls[2]).toMatchObject({ summary: { hone: { status: 'error', latency_ms: 900, trace_name: 'predict' } } });
    expect(calls[3]).toMatchObject({
      ...{ ended_at: null, output: null },
      summary: { hone: { status: 'running', latency_ms: null, trace_name: 'predict' } },
    });
  });

  it.each([
    [{ op_names: ['hone:///acme/demo/op/predict:v0'] }, 'ad'],
    [{ op_names: ['other:///acme/demo/op/predict:v0', 'plain'] }, 'cad'],
    [{ op_names: ['hone:///acme/demo/op/predict:*'] }, 'abd'],
    [{ op_names: ['hone:///acme/demo/op/pred:*', 'plain'] }, 'c'],
    [{ op_names: ['%', 'pl_in', '*'] }, ''],
    [{ input_refs: ['x:///acme/demo/object/cfg:latest'] }, 'b'],
    [{ output_refs: ['hone:///acme/demo/object/cfg:latest'] }, ''],
    [{ parent_ids: ['a'] }, 'b'],
    [{ trace_ids: ['t1'] }, 'ab'],
    [{ trace_ids: ['t1', 't2'] }, 'cab'],
    [{ call_ids: ['a', 'zz', 'c', 'no-start'] }, 'ca'],
    [{ thread_ids: ['th'] }, 'a'],
    [{ turn_ids: ['tu'] }, 'b'],
    [{ run_ids: ['r1', 'r2'] }, 'a'],
    [{ svc_user_ids: ['nobody'] }, ''],
    [{ trace_roots_only: true }, 'cad'],
    [{ trace_roots_only: true, trace_ids: ['t1'] }, 'a'],
    [{ trace_ids: [], op_names: null }, 'cabd'],
  ])('filters by %j', async (filter, expected) => {
    expect(await ids({ filter })).toBe(expected);
  });

  it('compares columns, values and what is computed', async () => {
    expect(await where({ $gt: [field('inputs.n'), literal(1.5)] })).toBe('cd');
    expect(await where({ $eq: [field('summary.hone.status'), literal('running')] })).toBe('d');
    expect(await where({ $gte: [field('summary.hone.latency_ms'), literal(1_000)] })).toBe('ca');
    expect(await where({ $eq: [field('summary.hone.trace_name'), literal('predict')] })).toBe('abd');
    expect(await where({ $gt: [field('summary.status_counts.error'), literal(1)] })).toBe('c');
    expect(await where({ $lt: [field('started_at'), literal('2026-01-15T09:59:00Z')] })).toBe('c');
    expect(await where({ $eq: [{ $size: field('output') }, literal(3)] })).toBe('c');
    expect(
      await where({ $contains: { input: field('op_name'), substr: literal('PRED'), case_insensitive: true } }),
    ).toBe('abd');
    expect(await where({ $not: [{ $eq: [field('parent_id'), literal('zz')] }] })).toBe('b');
  });

  it('sorts by columns, values and what is computed, missing ones last', async () => {
    const sorted = (...sort_by: [string, string][]) =>
      ids({ sort_by: sort_by.map(([name, direction]) => ({ field: name, direction })) });
    expect(await sorted(['started_at', 'desc'])).toBe('dbac');
    expect(await sorted(['id', 'desc'])).toBe('dcba');
    expect(await sorted(['summary.hone.latency_ms', 'asc'])).toBe('bacd');
    expect(await sorted(['summary.hone.latency_ms', 'desc'])).toBe('cabd');
    expect(await sorted(['inputs.q', 'desc'], ['started_at', 'asc'])).toBe('acbd');
    expect(await ids({ sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 2, offset: 1 })).toBe('ba');
    expect(await ids({ limit: 0 })).toBe('');
  });

  it('answers the columns that are asked for, dotted paths as flat keys, and reads no other value', async () => {
    const sent = await statementsOf(async () => {
      const computed = ['summary.hone.status', 'summary.hone.latency_ms', 'summary.hone.trace_name'];
      const columns = ['op_name', 'input_refs', ...computed];
      expect(await query({ columns, filter: { call_ids: ['b'] } })).toEqual([
        {
          ...{ id: 'b', project_id: PROJECT, op_name: 'hone:///acme/demo/op/predict:v1' },
          input_refs: ['hone:///acme/demo/object/cfg:latest'],
          ...{ 'summary.hone.status': 'error', 'summary.hone.latency_ms': 900, 'summary.hone.trace_name': 'predict' },
        },
      ]);
    });
    expect(sent.filter(({ text }) => text.includes('call_values'))).toEqual([]);
    const columns = ['inputs.n', 'output.1', 'output.-1', 'summary.hone.status', 'summary.a"b', 'inputs.none.x'];
    expect(await query({ columns, filter: { call_ids: ['c'] } })).toEqual([
      {
        ...{ id: 'c', project_id: PROJECT, 'inputs.n': 20, 'output.1': 2, 'output.-1': 3 },
        ...{ 'summary.hone.status': 'descendant_error', 'summary.a"b': 1, 'inputs.none.x': null },
      },
    ]);
  });

  it('keeps the text of numbers and odd characters, in parts too', async () => {
    const odd = '{"n":1.0,"big":12345678901234567890,"nul":"\\u0000","half":"\\ud800","deep":{"x":1e2}}';
    const body = JSON.stringify({ start: aCallStart('odd', { inputs: '#', project_id: 'acme/odd' }) });
    expect((await client.post('/call/start', body.replace('"#"', odd))).status).toBe(200);
    const whole = await client.post('/calls/stream_query', { project_id: 'acme/odd', columns: ['inputs'] });
    expect(whole.text).toBe(`{"id":"odd","project_id":"acme/odd","inputs":${odd}}\n`);
    const part = await client.post('/calls/stream_query', { project_id: 'acme/odd', columns: ['inputs.deep'] });
    expect(part.text).toBe(`{"id":"odd","project_id":"acme/odd","inputs.deep":{"x":1e2}}\n`);
    const $expr = { $eq: [field('inputs.nul'), literal('\ufffd')] };
    const found = await client.post('/calls/stream_query', {
      project_id: 'acme/odd',
      query: { $expr },
      columns: ['id'],
    });
    expect(found.text).toBe('{"id":"odd","project_id":"acme/odd"}\n');
  });

  it('reads values that are stored in chunks, whose insides expressions do not see', async () => {
    const inputs = { text: 'é'.repeat(300_000) };
    await client.post('/call/start', { start: aCallStart('large', { inputs, project_id: 'acme/large' }) });
    const read = async (body: object) =>
      (await client.post('/calls/stream_query', { project_id: 'acme/large', ...body })).text;
    expect(JSON.parse(await read({})).inputs).toEqual(inputs);
    expect(await read({ query: { $expr: { $eq: [field('inputs.text'), literal('x')] } } })).toBe('');
    expect(JSON.parse(await read({ include_storage_size: true, columns: ['id'] }))).toMatchObject({
      storage_size_bytes: 600_011 + 2,
    });
  });

  it('puts objects for refs that the caller may read, and feedback beside its call', async () => {
    await client.post('/obj/create', anObject('cfg', { temperature: 0.5 }));
    await client.post(
      '/feedback/create',
      aFeedback({ id: 'f1', trace_ref: 'hone:///acme/demo/call/b', payload: { s: 1.0 } }),
    );
    const [call] = await query({
      filter: { call_ids: ['b'] },
      expand_columns: ['inputs.data', 'output.none'],
      include_feedback: true,
    });
    expect(call).toMatchObject({
      inputs: { data: { temperature: 0.5, _ref: 'hone:///acme/demo/object/cfg:latest' } },
      summary: { hone: { feedback: [{ id: 'f1', payload: { s: 1 }, project_id: PROJECT }] } },
    });
    const hidden = 'hone:///globex/secret/object/cfg:latest';
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    await admin.post('/obj/create', anObject('cfg', { secret: 1 }, { project_id: 'globex/secret' }));
    const start = aCallStart('spy', { inputs: { data: hidden }, project_id: 'acme/spy' });
    await client.post('/call/start', { start });
    const body = { project_id: 'acme/spy', columns: ['inputs'], expand_columns: ['inputs.data'] };
    const spied = await client.post('/calls/stream_query', body);
    expect(JSON.parse(spied.text)).toMatchObject({ inputs: { data: hidden } });
    expect(JSON.parse((await admin.post('/calls/stream_query', body)).text)).toMatchObject({
      inputs: { data: { secret: 1 } },
    });
  });

  it('counts what matches, up to a limit', async () => {
    const count = async (body: object) =>
      (await client.post('/calls/query_stats', { project_id: PROJECT, ...body })).json();
    expect(await count({})).toEqual({ count: 4, has_more: false });
    expect(await count({ limit: 3 })).toEqual({ count: 3, has_more: true });
    expect(await count({ limit: 4 })).toEqual({ count: 4, has_more: false });
    expect(
      await count({ filter: { trace_roots_only: true }, query: { $expr: { $eq: [field('inputs.n'), literal(20)] } } }),
    ).toEqual({
      count: 1,
      has_more: false,
    });
    expect(await count({ project_id: 'acme/nothing' })).toEqual({ count: 0, has_more: false });
  });

  it('names the path of a wrong field or expression', async () => {
    const issues = async (path: string, body: object) => {
      const { status, json } = await client.post(path, { project_id: PROJECT, ...body });
      expect(status).toBe(422);
      return json().detail.map(({ loc }: { loc: unknown }) => loc);
    };
    expect(
      await issues('/calls/stream_query', {
        ...{ columns: ['id', 'nope'], sort_by: [{ field: 'id.x', direction: 'asc' }] },
      }),
    ).toEqual([
      ['body', 'sort_by', 0, 'field'],
      ['body', 'columns', 1],
    ]);
    for (const name of ['summary.x', 'inputs', 'inputs.'])
      expect(await issues('/calls/stream_query', { expand_columns: [name] })).toEqual([['body', 'expand_columns', 0]]);
    const query = { $expr: { $eq: [field('nope'), literal(1)] } };
    for (const path of ['/calls/stream_query', '/calls/query_stats'])
      expect(await issues(path, { query })).toEqual([['body', 'query', '$expr', '$eq', 0, '$getField']]);
  });

  it('streams any number of calls of one snapshot', async () => {
    const calls = Array.from({ length: 700 }, (_, n) =>
      aWholeCall(`m${n}`, { project_id: 'acme/many', inputs: { n } }),
    );
    expect((await client.post('/v2/acme/many/calls/complete', { batch: calls })).status).toBe(200);
    const { text } = await client.post('/calls/stream_query', { project_id: 'acme/many' });
    const lines = text.trimEnd().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).inputs.n)).size).toBe(700);
    expect((await client.post('/calls/stream_query', { project_id: 'acme/nothing' })).text).toBe('');
  });
});
