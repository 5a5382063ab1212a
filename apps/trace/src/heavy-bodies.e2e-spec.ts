import { gzipSync } from 'node:zlib';

import { contentDigest } from '@hone/contracts';
import { bodyClass, BodyThreads, routeHandlers, taskOf } from '@hone/platform';
import { basic, startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';

import { TASK } from './body-check.task.js';
import { aCallStart, aFeedback, anObject, aWholeCall, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const BY_ID = [{ field: 'id', direction: 'asc' }];

describe('requests with heavy bodies', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const letters = { text: 'é'.repeat(1_500_000) };
  const floats = Array.from({ length: 60_000 }, (_, n) => n + 0.5);
  const ratings = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 0.5]));

  it('are read by another thread, small ones by this one', async () => {
    const run = jest.spyOn(trace.app.get(BodyThreads), 'run');
    for (const [val, isHeavy] of [
      [letters, true],
      [floats, true],
      [{ small: 1 }, false],
      [{ text: 'a'.repeat(900_000) }, false],
    ] as const) {
      run.mockClear();
      const { status, json } = await client.post('/obj/create', anObject('o', val));
      expect([status, json()]).toEqual([200, { digest: contentDigest(val as never), object_id: 'o' }]);
      expect(run).toHaveBeenCalledTimes(isHeavy ? 1 : 0);
    }
    const { objs } = (await client.post('/objs/query', { project_id: PROJECT })).json();
    expect(objs.map(({ val }: { val: unknown }) => val)).toEqual([letters, floats, { small: 1 }, expect.anything()]);
  });

  it('have brothers without a body that is heavy: large values are parsed by another thread', async () => {
    const model = { name: 'Large', source_code: 'pass', attributes: { text: letters.text, n: 1 } };
    const small = { name: 'Small', source_code: 'pass', attributes: { n: 2 } };
    for (const body of [model, small]) expect((await client.post('/v2/acme/demo/models', body)).status).toBe(200);
    const run = jest.spyOn(trace.app.get(BodyThreads), 'run');
    for (const [path, ref, attributes, isLarge] of [
      ['large', 'hone:///acme/demo/object/large:v0/attr/n', model.attributes, true],
      ['small', 'hone:///acme/demo/object/small:v0/attr/n', small.attributes, false],
    ] as const) {
      run.mockClear();
      const read = await client.get(`/v2/acme/demo/models/${path}/versions/v0`);
      expect([read.status, read.json().attributes]).toEqual([200, attributes]);
      const part = await client.post('/refs/read_batch', { refs: [ref] });
      expect([part.status, part.json()]).toEqual([200, { vals: [attributes.n] }]);
      expect(run).toHaveBeenCalledTimes(isLarge ? 2 : 0);
    }
    const missing = await client.get('/v2/acme/demo/models/large/versions/v9');
    expect([missing.status, missing.json().code]).toEqual([404, 'model.not_found']);
  });

  it('have classes that the threads know, whatever the route', () => {
    const classes = routeHandlers(trace.app).flatMap((route) =>
      taskOf(route.handler) ? [] : (bodyClass(route) ?? []),
    );
    expect(classes.filter((type) => TASK.nameOf(type) === undefined)).toEqual([]);
    expect(classes.length).toBeGreaterThan(40);
  });

  it('are answered as small ones are', async () => {
    const feedback = aFeedback({ id: 'f', payload: { score: 1 }, scorer_ratings: ratings });
    const created = await client.post('/feedback/create', feedback, {
      headers: { 'x-request-id': 'r-1', 'idempotency-key': 'k-1' },
    });
    expect([created.status, created.json()]).toMatchObject([200, { id: 'f', payload: { score: 1 } }]);
    expect(created.headers).toMatchObject({
      'x-request-id': 'r-1',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const again = await client.post('/feedback/create', feedback, { headers: { 'idempotency-key': 'k-1' } });
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, created.text, 'true']);

    const bad = { ...feedback, scorer_ratings: { ...ratings, k7: 2 } };
    const refused = await client.post('/feedback/create', bad);
    expect([refused.status, refused.json()]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'scorer_ratings', 'k7'],
            msg: 'Input should be less than or equal to 1',
            type: 'less_than_equal',
          },
        ],
      },
    ]);
    const syntax = await client.post('/obj/create', `${JSON.stringify(anObject('x', letters))}}`);
    expect([syntax.status, syntax.json().detail[0].type]).toEqual([422, 'json_invalid']);
    const taken = await client.post('/feedback/create', { ...feedback, creator: 'ada' });
    expect([taken.status, taken.json().code, taken.headers['x-should-retry']]).toEqual([
      409,
      'feedback.id_taken',
      'false',
    ]);
    const type = await client.post('/obj/create', JSON.stringify(anObject('x', letters)), {
      headers: { 'content-type': 'text/plain' },
    });
    expect([type.status, type.json().detail[0].msg]).toEqual([422, 'The content type should be application/json']);
  });

  it('may be packed, and are refused to whom small ones are', async () => {
    const packed = gzipSync(JSON.stringify(anObject('packed', letters)));
    const headers = { 'content-encoding': 'gzip' };
    expect((await client.post('/obj/create', packed, { headers })).status).toBe(200);
    expect((await trace.as(undefined).post('/obj/create', anObject('x', letters))).status).toBe(401);
    const reader = trace.as(await trace.user('rita', { roles: { acme: 'reader' } }));
    const refused = await reader.post('/obj/create', anObject('x', letters));
    expect([refused.status, refused.json().code]).toEqual([403, 'access.denied']);
    expect((await client.post('/obj/create', Buffer.alloc(33_554_433, ' '))).status).toBe(413);
  });

  it('of calls are read by another thread, small ones by this one, and the calls read back equal', async () => {
    const run = jest.spyOn(trace.app.get(BodyThreads), 'run').mockClear();
    const small = aWholeCall('small', { project_id: 'acme/small' });
    expect((await client.post('/v2/acme/small/calls/complete', { batch: [small] })).text).toBe('{}');
    expect(run).toHaveBeenCalledTimes(0);
    const batch = [aWholeCall('letters', { inputs: letters }), aWholeCall('floats', { output: floats })];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).text).toBe('{}');
    expect(run).toHaveBeenCalledTimes(1);
    const { text } = await client.post('/calls/stream_query', { project_id: PROJECT, sort_by: BY_ID });
    const calls = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(calls).toMatchObject([
      { id: 'floats', output: floats },
      { id: 'letters', inputs: letters },
    ]);
    const start = await client.post('/call/start', { start: aCallStart('single', { inputs: letters }) });
    expect([start.status, start.json()]).toEqual([200, { id: 'single', trace_id: 't1' }]);
    const values = Array.from({ length: 40_000 }, (_, n) => ({ $literal: n }));
    const query = { $expr: { $in: [{ $getField: 'inputs.n' }, values] } };
    const refused = await client.post('/calls/stream_query', { project_id: PROJECT, query });
    expect([refused.status, refused.json().detail[0].type]).toEqual([422, 'too_many']);
  });

  it('that need more memory than a thread may take are answered with a 500, and the next is read', async () => {
    const threads = new BodyThreads({ maxThreads: 1, keptThreads: 1, idleMs: 60_000, maxHeapMiB: 128 });
    const small = await startTestApp(TraceModule, {}, { overrides: [[BodyThreads, threads]] });
    const asWriter = small.as(small.writer);
    const [before, after] = JSON.stringify(anObject('o', 'VALUE')).split('"VALUE"') as [string, string];
    const { status, json } = await asWriter.post('/obj/create', `${before}[${'{},'.repeat(5_000_000)}0]${after}`);
    expect([status, json().code]).toEqual([500, 'server.internal']);
    expect((await asWriter.post('/obj/create', anObject('o', letters.text.slice(0, 600_000)))).status).toBe(200);
    await small.close();
  });

  it('are given up when their caller leaves, and the next is read', async () => {
    const threads = new BodyThreads({ maxThreads: 1, keptThreads: 1, idleMs: 60_000, maxHeapMiB: 2_048 });
    const run = jest.spyOn(threads, 'run');
    const small = await startTestApp(TraceModule, {}, { overrides: [[BodyThreads, threads]] });
    await small.app.listen(0, '127.0.0.1');
    const url = `${await small.app.getUrl()}/feedback/create`;
    const headers = { authorization: basic('api', small.writer.key), 'content-type': 'application/json' };
    const leave = new AbortController();
    const body = JSON.stringify(aFeedback({ payload: { list: new Array(2_000_000).fill(0.5) } }));
    const left = fetch(url, { method: 'POST', headers, body, signal: leave.signal });
    left.catch(() => undefined);
    await until(() => run.mock.calls.length === 1, 'the thread');
    leave.abort();
    await expect(left).rejects.toThrow();
    await expect(run.mock.results[0]?.value).rejects.toMatchObject({ name: 'AbortError' });
    expect((await small.as(small.writer).post('/obj/create', anObject('next', letters))).status).toBe(200);
    expect((await small.as(small.writer).post('/feedback/query', { project_id: PROJECT })).json().result).toEqual([]);
    await small.close();
  });

  it('whose thread ends are answered with a 500, and the next is read', async () => {
    const threads = trace.app.get(BodyThreads);
    const crash = jest.spyOn(threads, 'run').mockImplementationOnce((_task, input, options) => {
      crash.mockRestore();
      const ends = `data:text/javascript,export const TASK = { run: () => process.exit(1) };`;
      return threads.run({ module: ends, run: () => undefined as never }, input, options);
    });
    const failed = await client.post('/feedback/create', aFeedback({ scorer_ratings: ratings }));
    expect([failed.status, failed.json().code]).toEqual([500, 'server.internal']);
    const next = await client.post('/feedback/create', aFeedback({ scorer_ratings: ratings }));
    expect(next.status).toBe(200);
  });

  it('are handled side by side', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `side-${n}`);
    const created = await Promise.all(names.map((name) => client.post('/obj/create', anObject(name, letters))));
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 200));
    const filter = { object_ids: names };
    const { objs } = (await client.post('/objs/query', { project_id: PROJECT, filter, metadata_only: true })).json();
    expect(objs).toHaveLength(names.length);
  });
});
