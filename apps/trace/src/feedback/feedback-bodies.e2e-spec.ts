import { gzipSync } from 'node:zlib';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PATH = '/feedback/create';
const BATCH = '/feedback/batch/create';

describe('bodies of feedback', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const issuesOf = async (body: unknown, path = PATH) => {
    const response = await client.post(path, body);
    expect(response.status).toBe(422);
    return response.json().detail as { loc: unknown[]; msg: string; type: string }[];
  };

  it('keeps numbers and characters of the payload exactly, there and in later queries', async () => {
    const payload = '{"a":1.0,"b":12345678901234567890,"c":"\\u0000\\ud800","d":-0,"e":1E5,"f":1e-99999}';
    const created = await client.post(
      PATH,
      `{"id":"exact","project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":${payload}}`,
    );
    expect(created.status).toBe(200);
    expect(created.text).toContain(`"payload":${payload}`);
    const read = await client.post('/feedback/query', {
      project_id: PROJECT,
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'exact' }] } },
    });
    expect(read.text).toContain(`"payload":${payload}`);
  });

  it('treats __proto__ as an ordinary key of a payload and as an unknown field elsewhere', async () => {
    const inside = await client.post(
      PATH,
      '{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":{"__proto__":{"x":1},"constructor":2}}',
    );
    expect(inside.text).toContain('"payload":{"__proto__":{"x":1},"constructor":2}');
    expect(
      await issuesOf(
        '{"__proto__":{"id":"p"},"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":{}}',
      ),
    ).toEqual([{ loc: ['body', '__proto__'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('refuses what is too deep, and numbers without a value', async () => {
    const nested = (levels: number) =>
      `{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;
    expect((await client.post(PATH, nested(511))).status).toBe(200);
    expect(await issuesOf(nested(513))).toEqual([
      { loc: ['body'], msg: 'JSON should have at most 512 levels', type: 'json_too_deep' },
    ]);
    expect((await issuesOf('['.repeat(100_000)))[0]?.type).toBe('json_too_deep');
    expect(await issuesOf('{"payload":{"list":[1,1e400]}}')).toEqual([
      { loc: ['body', 'payload', 'list', 1], msg: 'Input should be a finite number', type: 'finite_number' },
    ]);
  });

  it('takes a payload of exactly the limit and not one byte more', async () => {
    const limit = 1_048_576;
    const text = 'x'.repeat(limit - '{"t":""}'.length);
    const created = await client.post(PATH, aFeedback({ id: 'largest', payload: { t: text } }));
    expect(created.status).toBe(200);
    const read = await client.post('/feedback/query', {
      project_id: PROJECT,
      fields: ['payload.t'],
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'largest' }] } },
    });
    expect(read.json().result).toEqual([{ 'payload.t': text }]);
    const over = await client.post(PATH, aFeedback({ payload: { t: `${text}x` } }));
    expect([over.status, over.json()]).toEqual([
      413,
      { detail: 'payload has 1048577 bytes; the limit is 1048576.', code: 'feedback.payload_too_large' },
    ]);
    const again = await client.post(PATH, aFeedback({ id: 'largest', payload: { t: text } }));
    expect(again.text).toBe(created.text);
  });

  it('refuses a body over the limit, plain and packed', async () => {
    const body = JSON.stringify(aFeedback({ payload: { t: 'x'.repeat(33_554_432) } }));
    const answer = { detail: 'The request body is over the limit of 33554432 bytes.', code: 'limit.body_too_large' };
    const plain = await client.post(PATH, body);
    const packed = gzipSync(body);
    const unpacked = await client.post(PATH, packed, { headers: { 'content-encoding': 'gzip' } });
    expect(packed.length).toBeLessThan(60_000);
    expect([plain.status, plain.json()]).toEqual([413, answer]);
    expect([unpacked.status, unpacked.json()]).toEqual([413, answer]);
  });

  it('reads gzip, and says what is wrong with other encodings', async () => {
    const packed = gzipSync(JSON.stringify(aFeedback()));
    expect((await client.post(PATH, packed, { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
    const broken = await client.post(PATH, Buffer.from('not gzip'), { headers: { 'content-encoding': 'gzip' } });
    expect([broken.status, broken.json().detail[0].type]).toEqual([422, 'json_invalid']);
    const brotli = await client.post(PATH, packed, { headers: { 'content-encoding': 'br' } });
    expect([brotli.status, brotli.json().code]).toEqual([415, 'request.encoding_unsupported']);
  });

  it('answers malformed requests with a bounded 422 that names the path', async () => {
    const at = (offset: number) => [{ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid' }];
    expect(await issuesOf('{"é":}')).toEqual(at(6));
    expect(await issuesOf('{} x')).toEqual(at(3));
    expect(await issuesOf(Buffer.from([0x7b, 0x22, 0xff, 0x22]))).toEqual(at(2));
    expect(await issuesOf('')).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    for (const body of ['[]', 'null', '1', '"x"']) {
      expect(await issuesOf(body)).toEqual([
        { loc: ['body'], msg: 'Input should be a valid object', type: 'dict_type' },
      ]);
    }
    const text = await client.post(PATH, '{}', { headers: { 'content-type': 'text/plain' } });
    expect([text.status, text.json().detail[0]]).toEqual([
      422,
      { loc: ['body'], msg: 'The content type should be application/json', type: 'value_error' },
    ]);
    const many = await issuesOf({ batch: Array.from({ length: 500 }, () => ({})) }, BATCH);
    expect(many).toHaveLength(100);
  });

  it('takes other JSON content types and none, and answers 405 to another method', async () => {
    for (const type of ['application/vnd.api+json', 'application/json; charset=utf-8']) {
      expect((await client.post(PATH, JSON.stringify(aFeedback()), { headers: { 'content-type': type } })).status).toBe(
        200,
      );
    }
    const put = await client.put(PATH, {});
    expect([put.status, put.headers['allow'], put.json().code]).toEqual([405, 'POST', 'route.method']);
    const unknown = await client.post('/feedback/unknown', {});
    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { detail: 'There is nothing at this path.', code: 'route.not_found' },
    ]);
  });

  it('does not repeat a long key in its answer', async () => {
    const response = await client.post(PATH, aFeedback({ ['k'.repeat(1_000_000)]: 1 } as object));
    expect([response.status, response.json().detail[0].loc[1]]).toEqual([422, `${'k'.repeat(200)}…`]);
  });

  it('echoes a request id, or makes one', async () => {
    const echoed = await client.post(PATH, aFeedback(), { headers: { 'x-request-id': 'abc-1' } });
    const made = await client.post(PATH, aFeedback(), { headers: { 'x-request-id': 'with blank' } });
    expect(echoed.headers['x-request-id']).toBe('abc-1');
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
