import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const HIDDEN = 'globex/secret';
const ODD_IDS = [
  "'; DROP TABLE calls; --",
  '%',
  '_',
  '*',
  '__proto__',
  'constructor',
  '\u202e',
  '😀',
  ' ',
  '"',
  '\\',
  '{}',
  'a'.repeat(128),
];
const WRONG_IDS = ['', 'a/b', '\0', '\ud800', 'a\nb', 'a'.repeat(129)];

describe('calls, asked by hostile hands', () => {
  let trace: TestApp;
  let client: TestClient;
  let admin: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    admin = trace.as(await trace.user('root', { isAdmin: true }));
    const hidden = aWholeCall('secret-call', {
      ...{ project_id: HIDDEN, trace_id: 'shared', parent_id: 'shared-parent', thread_id: 'shared-thread' },
      ...{ inputs: { ref: 'hone:///acme/demo/object/o:v0' }, summary: { usage: { m: { prompt_tokens: 7 } } } },
    });
    expect((await admin.post(`/v2/${HIDDEN}/calls/complete`, { batch: [hidden] })).status).toBe(200);
    const own = aWholeCall('own', { parent_id: 'shared-parent', trace_id: 'shared', thread_id: 'shared-thread' });
    expect((await client.post('/v2/acme/demo/calls/complete', { batch: [own] })).status).toBe(200);
  });
  afterAll(() => trace.close());

  const lines = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('never show a call of another project, whatever names it', async () => {
    for (const filter of [
      { call_ids: ['secret-call'] },
      { trace_ids: ['shared'] },
      { parent_ids: ['shared-parent'] },
      { thread_ids: ['shared-thread'] },
      { input_refs: ['hone:///acme/demo/object/o:v0'] },
      { op_names: ['hone:///acme/demo/op/predict:*'] },
    ]) {
      const { status, text } = await client.post('/calls/stream_query', { project_id: PROJECT, filter });
      expect([status, lines(text).filter(({ id }) => id !== 'own')]).toEqual([200, []]);
    }
    const read = await client.post('/call/read', { project_id: PROJECT, id: 'secret-call' });
    expect(read.text).toBe('{"call":null}');
    const usage = await client.post('/calls/usage', {
      project_id: PROJECT,
      call_ids: ['secret-call', 'shared-parent'],
    });
    expect(usage.json()).toEqual({ call_usage: {}, unfinished_call_ids: [] });
    const threads = await client.post('/threads/stream_query', { project_id: PROJECT });
    expect(lines(threads.text)).toMatchObject([{ thread_id: 'shared-thread', turn_count: 1 }]);
    const deleted = await client.post('/calls/delete', {
      project_id: PROJECT,
      call_ids: ['secret-call', 'shared-parent'],
    });
    expect(deleted.json()).toEqual({ num_deleted: 0 });
    const renamed = await client.post('/call/update', {
      project_id: PROJECT,
      call_id: 'secret-call',
      display_name: 'x',
    });
    expect([renamed.status, renamed.json().code]).toEqual([404, 'call.not_found']);
    const still = await admin.post('/call/read', { project_id: HIDDEN, id: 'secret-call' });
    expect(still.json().call).toMatchObject({ display_name: null, deleted_at: null });
  });

  it('are another call in each project, also under an id that another project has', async () => {
    await client.post('/call/end', { end: aCallEnd('secret-call', { output: 'mine' }) });
    await client.post('/call/start', { start: aCallStart('secret-call', { inputs: { mine: true } }) });
    const hidden = (await admin.post('/call/read', { project_id: HIDDEN, id: 'secret-call' })).json().call;
    expect(hidden).toMatchObject({ output: '4', inputs: { ref: 'hone:///acme/demo/object/o:v0' } });
  });

  it.each(ODD_IDS)('may have the id %j, which means that id alone', async (id) => {
    const start = await client.post('/call/start', { start: aCallStart(id, { project_id: 'acme/odd', trace_id: id }) });
    expect([start.status, start.text]).toEqual([200, JSON.stringify({ id, trace_id: id })]);
    for (const filter of [{ call_ids: [id] }, { trace_ids: [id] }]) {
      const { text } = await client.post('/calls/stream_query', { project_id: 'acme/odd', filter });
      expect(lines(text).map((call) => call.id)).toEqual([id]);
    }
    expect((await client.post('/calls/delete', { project_id: 'acme/odd', call_ids: [id] })).json()).toEqual({
      num_deleted: 1,
    });
  });

  it.each(WRONG_IDS)('may not have the id %j, and no endpoint fails on it', async (id) => {
    const bodies: [string, object][] = [
      ['/call/start', { start: aCallStart(id) }],
      ['/call/end', { end: aCallEnd(id) }],
      ['/call/read', { project_id: PROJECT, id }],
      ['/call/update', { project_id: PROJECT, call_id: id, display_name: '' }],
      ['/calls/delete', { project_id: PROJECT, call_ids: [id] }],
      ['/calls/usage', { project_id: PROJECT, call_ids: [id] }],
      ['/v2/acme/demo/calls/complete', { batch: [aWholeCall(id)] }],
    ];
    for (const [path, body] of bodies) expect([path, (await client.post(path, body)).status]).toEqual([path, 422]);
    for (const filter of [{ trace_ids: [id] }, { thread_ids: [id] }, { op_names: [id] }, { svc_user_ids: [id] }]) {
      const { status } = await client.post('/calls/stream_query', { project_id: PROJECT, filter });
      expect([200, 422]).toContain(status);
    }
  });

  it('store odd content, and refuse what is too deep', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const send = (output: string) => {
      const body = JSON.stringify({ end: aCallEnd('deep', { output: '#' }) });
      return client.post('/call/end', body.replace('"#"', output));
    };
    expect((await send(nested(510))).status).toBe(200);
    expect((await send(nested(513))).json().detail[0].type).toBe('json_too_deep');
    expect((await send('1e400')).json().detail[0].type).toBe('finite_number');
    const odd =
      '{"__proto__":{"a":1},"constructor":1,"":0,"\\u0000":"\\udc00","n":-0,"x":1e-300,"hone":1,"usage":{"__proto__":{"requests":1}}}';
    const body = JSON.stringify({ batch: [aWholeCall('odd', { summary: '#' })] }).replace('"#"', odd);
    expect((await client.post('/v2/acme/demo/calls/complete', body)).status).toBe(200);
    const read = await client.post('/call/read', { project_id: PROJECT, id: 'odd', include_costs: true });
    expect(read.text).toContain('"__proto__":{"a":1},"constructor":1,"":0,"\\u0000":"\\udc00","n":-0,"x":1e-300');
    for (const path of ['/calls/usage', '/trace/usage', '/calls/stats']) {
      const query = {
        ...(path === '/calls/usage' ? { call_ids: ['odd'] } : {}),
        ...(path === '/calls/stats' && { start: '2026-01-01T00:00:00Z' }),
      };
      expect([path, (await client.post(path, { project_id: PROJECT, ...query })).status]).toEqual([path, 200]);
    }
    const $expr = { $gt: [{ $getField: 'summary.x' }, { $literal: 0 }] };
    const found = await client.post('/calls/query_stats', { project_id: PROJECT, query: { $expr } });
    expect(found.json()).toEqual({ count: 1, has_more: false });
  });

  it('take a circle of parents, and traces that are very deep', async () => {
    const batch = Array.from({ length: 3_000 }, (_, n) =>
      aWholeCall(`d${n}`, { project_id: 'acme/deep', parent_id: `d${n - 1}` }),
    );
    batch.push(aWholeCall('d-1', { project_id: 'acme/deep', parent_id: 'd2999' }));
    expect((await client.post('/v2/acme/deep/calls/complete', { batch })).status).toBe(200);
    const usage = await client.post('/calls/usage', { project_id: 'acme/deep', call_ids: ['d0'] });
    expect(usage.status).toBe(200);
    expect((await client.post('/calls/delete', { project_id: 'acme/deep', call_ids: ['d5'] })).json()).toEqual({
      num_deleted: 3_001,
    });
  });
});
