import { basic, startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PROJECT = 'acme/demo';
const AT = '/compat/weave';

describe('the SDK surface', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  it.each(['/compat/weave', '/traces'])('says below %s, without credentials, that it is there', async (at) => {
    expect((await trace.as(undefined).get(`${at}/health`)).json()).toEqual({ status: 'ok' });
    expect((await trace.as(undefined).get(`${at}/server_info`)).json()).toEqual({
      min_required_weave_python_version: '0.0.1',
      trace_server_version: '99.0.0',
    });
  });

  it('answers calls under the names of the SDKs, and the canonical surface under its own', async () => {
    const batch = [
      {
        mode: 'start',
        req: {
          start: {
            ...aCallStart('s1'),
            op_name: 'weave:///acme/demo/op/predict:v0',
            wb_run_id: 'run1',
            wb_user_id: 'somebody',
            inputs: { model: 'weave:///acme/demo/object/m:v0', wb_run_id: 'free', n: 1.0 },
            otel_dump: null,
          },
        },
      },
      {
        mode: 'end',
        req: { end: { ...aCallEnd('s1'), display_name: 'shown', summary: { weave: { x: 1 }, usage: {} } } },
      },
    ];
    const stored = await client.post(`${AT}/call/upsert_batch`, { batch });
    expect([stored.status, stored.json()]).toEqual([200, { res: [{ id: 's1', trace_id: 't1' }, {}] }]);
    const canonical = (await client.post('/call/read', { project_id: PROJECT, id: 's1' })).json().call;
    expect(canonical).toMatchObject({
      op_name: 'hone:///acme/demo/op/predict:v0',
      display_name: 'shown',
      run_id: 'run1',
      inputs: { model: 'hone:///acme/demo/object/m:v0', wb_run_id: 'free' },
      summary: { usage: {}, hone: { status: 'success' } },
    });
    const { text } = await client.post(`${AT}/calls/stream_query`, {
      project_id: PROJECT,
      filter: { op_names: ['weave:///acme/demo/op/predict:*'], wb_run_ids: ['run1'] },
      query: { $expr: { $eq: [{ $getField: 'wb_run_id' }, { $literal: 'run1' }] } },
    });
    expect(JSON.parse(text)).toMatchObject({
      op_name: 'weave:///acme/demo/op/predict:v0',
      wb_run_id: 'run1',
      wb_user_id: trace.writer.id,
      inputs: { model: 'weave:///acme/demo/object/m:v0', wb_run_id: 'free' },
      summary: { usage: {}, weave: { status: 'success', trace_name: 'shown' } },
    });
    expect(text).not.toContain('hone');
  });

  it('takes a key as Bearer, too', async () => {
    const bearer = trace.as(`Bearer ${trace.writer.key}`);
    expect((await bearer.post(`${AT}/objs/query`, { project_id: PROJECT })).json()).toEqual({ objs: [] });
    expect((await bearer.post('/objs/query', { project_id: PROJECT })).status).toBe(401);
  });

  it('refuses in its own form', async () => {
    const unknown = trace.as(basic('api', 'hone-nobody'));
    const refused = await unknown.post(`${AT}/call/read`, { project_id: PROJECT, id: 'x' });
    expect([refused.status, refused.json()]).toEqual([401, { reason: '401 Error' }]);
    const unsupported = [
      ...['/image/create', '/evaluations/status', '/evaluations/rescore', '/calls/score', '/files/resolve_url'],
      ...['/v2/acme/demo/runtimes/x', '/agents/spans/query', '/link_to_registry', '/metrics', '/openapi.json', '/docs'],
    ];
    for (const path of unsupported) {
      const { status, json } = await client.post(AT + path, {});
      expect([path, status, json()]).toEqual([path, 404, { reason: 'Not supported by this server' }]);
    }
    const wrong = await client.post(`${AT}/feedback/create`, { project_id: PROJECT, feedback_type: 't', payload: {} });
    expect([wrong.status, wrong.json()]).toEqual([
      422,
      { detail: [{ loc: ['body', 'weave_ref'], msg: 'Field required', type: 'missing' }] },
    ]);
  });
});

describe('the SDK surface with large bodies and answers', () => {
  const LARGE = 'x'.repeat(1_500_000);
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(`Bearer ${trace.writer.key}`);
  });
  afterAll(() => trace.close());

  const create = (val: unknown) =>
    client.post(`${AT}/obj/create`, { obj: { project_id: PROJECT, object_id: 'big', val, wb_user_id: 'x' } });

  it('renames once what another thread reads', async () => {
    const val = { text: LARGE, own: 'hone:///acme/demo/object/a:v0', ref: 'weave:///acme/demo/object/a:v0' };
    expect((await create(val)).status).toBe(200);
    const read = await client.post(`${AT}/obj/read`, { project_id: PROJECT, object_id: 'big', digest: 'latest' });
    expect(read.json().obj).toMatchObject({
      ...{ wb_user_id: trace.writer.id, size_bytes: null, tags: null },
      val: { text: LARGE, own: 'weave:///acme/demo/object/a:v0', ref: 'weave:///acme/demo/object/a:v0' },
    });
    const refused = await client.post(`${AT}/obj/create`, {
      obj: { project_id: PROJECT, object_id: 'b/g', val: LARGE },
    });
    expect([refused.status, refused.json().error_type]).toEqual([422, 'InvalidFieldError']);
    const internal = `weave-trace-internal:///${Buffer.from('globex/x').toString('base64url')}/object/a:v0`;
    const unreadable = await create({ text: LARGE, internal });
    expect([unreadable.status, unreadable.json()]).toEqual([
      400,
      { reason: expect.any(String), error_type: 'InvalidRequest' },
    ]);
    const denied = await client.post(`${AT}/obj/create`, {
      obj: { project_id: 'globex/x', object_id: 'b', val: LARGE },
    });
    expect([denied.status, denied.json()]).toEqual([403, { reason: 'Forbidden' }]);
  });

  it('lets other requests go on while a large answer is renamed', async () => {
    const turns = async (path: string) => {
      let count = 0;
      const timer = setInterval(() => count++, 0);
      const { text } = await client.post(path, { project_id: PROJECT, object_id: 'big', digest: 'latest' });
      clearInterval(timer);
      return [count, text.length] as const;
    };
    for (let n = 0; n < 8; n++) await create({ n, text: LARGE });
    const [count, length] = await turns(`${AT}/objs/query`);
    expect(length).toBeGreaterThan(9 * 1_500_000);
    expect(count).toBeGreaterThan(10);
  });
});

describe('the SDK surface switched off', () => {
  it('is nowhere', async () => {
    const trace = await startTestApp(TraceModule, { isSdkSurfaceOff: true } as object);
    const client = trace.as(trace.writer);
    const nothing = { detail: 'There is nothing at this path.', code: 'route.not_found' };
    for (const path of ['/compat/weave/health', '/compat/weave/call/start', '/traces/health', '/graphql', '/traces']) {
      for (const method of ['get', 'post'] as const) {
        const { status, json } = await client[method](path, {});
        expect([path, status, json()]).toEqual([path, 404, nothing]);
      }
    }
    await trace.close();
  });
});
