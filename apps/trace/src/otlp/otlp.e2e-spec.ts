import { deflateSync, gzipSync } from 'node:zlib';

import { basic, startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import protobuf from 'protobufjs';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import { OTLP_SCHEMA } from './otlp-schema.js';

const schema = protobuf.Root.fromJSON(OTLP_SCHEMA);
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const aSpan = (spanId: string, fields: object = {}) => ({
  ...{ traceId: '5b8efff798038103d269b633813fc60c', spanId, name: 'work', attributes: [] },
  ...{ startTimeUnixNano: '1768471140000000000', endTimeUnixNano: '1768471141000000000' },
  ...fields,
});
const S1 = 'eee19b7ec3c1b174';
const S2 = '00f067aa0ba902b7';
const named = (project: string) => [{ key: 'hone.project', value: { stringValue: project } }];
const aRequest = (spans: object[], attributes: object[] = []) => ({
  resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }],
});

/** The same request in protobuf: ids are bytes there. */
function inProtobuf(request: object): Buffer {
  const ids = /"(traceId|spanId|parentSpanId)":"([0-9a-f]*)"/g;
  const base64 = JSON.stringify(request).replace(ids, (_all, name: string, hex: string) => {
    return `"${name}":"${Buffer.from(hex, 'hex').toString('base64')}"`;
  });
  const type = schema.lookupType('ExportTraceServiceRequest');
  return Buffer.from(type.encode(type.fromObject(JSON.parse(base64))).finish());
}
const decoded = (type: string, bytes: Buffer) => schema.lookupType(type).decode(bytes).toJSON();

describe('spans of OpenTelemetry', () => {
  let trace: TestApp;
  let writer: TestUser;
  let client: TestClient;
  let url: string;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    writer = trace.writer;
    client = trace.as(writer);
    await trace.app.listen(0, '127.0.0.1');
    url = `${await trace.app.getUrl()}/otel/v1/traces`;
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values'));
  afterAll(() => trace.close());

  const calls = async (project_id = PROJECT) =>
    (await client.post('/calls/stream_query', { project_id })).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const send = (body: object | Buffer | string, headers: Record<string, string> = {}, who = client) =>
    who.post('/otel/v1/traces', body, { headers: { 'content-type': JSON_TYPE, 'hone-project': PROJECT, ...headers } });

  const authorization = () => ({ authorization: basic('api', writer.key) });
  it.each([
    ['JSON', () => new JsonExporter({ url, headers: { ...authorization(), 'hone-project': PROJECT } }), undefined],
    ['protobuf', () => new ProtobufExporter({ url, headers: { ...authorization(), project_id: PROJECT } }), undefined],
    ['gzip', () => new ProtobufExporter({ url, headers: authorization(), compression: 'gzip' as never }), PROJECT],
  ] as [string, () => SpanExporter, string | undefined][])(
    'come from the exporter of %s',
    async (_form, exporter, project) => {
      const { resourceFromAttributes } = await import('@opentelemetry/resources');
      const provider = new NodeTracerProvider({
        spanProcessors: [new BatchSpanProcessor(exporter())],
        ...(project !== undefined && { resource: resourceFromAttributes({ 'hone.project': project }) }),
      });
      provider.register();
      const tracer = provider.getTracer('shop', '1.2');
      tracer.startActiveSpan('order', (order) => {
        const chat = tracer.startSpan('chat m', {
          attributes: {
            'gen_ai.request.model': 'm',
            'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
            'gen_ai.usage.input_tokens': 5,
            'gen_ai.conversation.id': 'talk',
          },
        });
        chat.recordException(new TypeError('no'));
        chat.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' });
        chat.end();
        order.end();
      });
      await provider.forceFlush();
      await provider.shutdown();
      const [first, second] = await calls();
      const [order, chat] = first.op_name === 'order' ? [first, second] : [second, first];
      expect(order).toMatchObject({ op_name: 'order', summary: { hone: { status: 'descendant_error' } } });
      expect(chat).toMatchObject({
        ...{ op_name: 'chat m', thread_id: 'talk', exception: 'TypeError: no', svc_user_id: writer.id },
        inputs: { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
        summary: { usage: { m: { requests: 1, prompt_tokens: 5, total_tokens: 5 } }, hone: { status: 'error' } },
        attributes: { otel: { scope: { name: 'shop', version: '1.2' }, status: { code: 2, message: 'failed' } } },
      });
    },
  );

  it('are the same call in JSON and protobuf, plain, gzip and deflate, and sent again', async () => {
    const nested = {
      kvlistValue: { values: [{ key: 'k', value: { arrayValue: { values: [{ doubleValue: 1.5 }] } } }] },
    };
    const attributes = [
      { key: 'big', value: { intValue: '9007199254740993' } },
      { key: 'nested', value: nested },
      { key: 'bytes', value: { bytesValue: 'AAEC' } },
    ];
    const request = aRequest([aSpan(S1, { attributes, parentSpanId: S2 }), aSpan(S2)]);
    const bytes = inProtobuf(request);
    const texts = new Set<string>();
    for (const [body, headers] of [
      [request, {}],
      [gzipSync(JSON.stringify(request)), { 'content-encoding': 'gzip' }],
      [deflateSync(JSON.stringify(request)), { 'content-encoding': 'deflate' }],
      [bytes, { 'content-type': PROTOBUF }],
      [gzipSync(bytes), { 'content-type': PROTOBUF, 'content-encoding': 'gzip' }],
      [deflateSync(bytes), { 'content-type': PROTOBUF, 'content-encoding': 'deflate' }],
    ] as [Buffer, Record<string, string>][]) {
      const answer = await send(body, headers);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        headers['content-type'] ?? 'application/json; charset=utf-8',
      ]);
      expect(answer.text).toBe(headers['content-type'] ? '' : '{}');
      texts.add((await client.post('/calls/stream_query', { project_id: PROJECT })).text);
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain('"big":9007199254740993,"bytes":"AAEC","nested":{"k":[1.5]}');
  });

  it('go to the project of their resource, several in one request', async () => {
    const { resourceSpans: one } = aRequest([aSpan(S1)], named('acme/one'));
    const { resourceSpans: two } = aRequest(
      [aSpan(S2)],
      [
        { key: 'wandb.entity', value: { stringValue: 'acme' } },
        { key: 'wandb.project', value: { stringValue: 'two' } },
      ],
    );
    expect((await send({ resourceSpans: [...one, ...two] })).text).toBe('{}');
    expect([await calls('acme/one'), await calls('acme/two'), await calls()]).toMatchObject([
      [{ id: S1 }],
      [{ id: S2 }],
      [],
    ]);
  });

  it('that cannot be stored are counted, and the others are stored', async () => {
    const bad = [aSpan('0000000000000000'), aSpan('xyz'), aSpan(S2, { traceId: '' })];
    const request = aRequest([aSpan(S1), ...bad]);
    const json = (await send(request)).json();
    expect(json).toEqual({ partialSuccess: { rejectedSpans: '3', errorMessage: expect.stringContaining('spanId') } });
    const { bytes } = await send(inProtobuf(request), { 'content-type': PROTOBUF });
    expect(decoded('ExportTraceServiceResponse', bytes)).toMatchObject({ partialSuccess: { rejectedSpans: '3' } });
    expect(await calls()).toMatchObject([{ id: S1 }]);
  });

  it.each([
    ['ids', () => aRequest([aSpan('xyz')])],
    ['project', () => aRequest([aSpan(S1)], named('nowhere:else/x'))],
  ])(
    'are refused where not one has a usable %s, since exporters do not report partial success',
    async (_what, request) => {
      expect((await send(request())).status).toBe(422);
      const { status, bytes } = await send(inProtobuf(request()), { 'content-type': PROTOBUF });
      expect(status).toBe(422);
      expect(decoded('RpcStatus', bytes)).toMatchObject({ code: 3 });
      expect(await calls()).toEqual([]);
    },
  );

  it('go to the project of the key where nothing names another', async () => {
    const owner = await trace.user('otto', { roles: { acme: 'writer' } });
    await trace.sql(`UPDATE api_keys SET default_project = 'acme/own' WHERE id = $1`, [owner.keyId]);
    const answer = await trace.as(owner).post('/otel/v1/traces', aRequest([aSpan(S1)]));
    expect(answer.text).toBe('{}');
    expect(await calls('acme/own')).toMatchObject([{ id: S1 }]);
  });

  it.each([
    ['/otel/v1/traces', 'Bearer', () => `Bearer ${writer.key}`, 200],
    ['/otel/v1/traces', 'Basic of somebody else', () => basic('pk-lf-1', writer.key), 401],
    ['/api/public/otel/v1/traces', 'the keys of Langfuse', () => basic('pk-lf-1', writer.key), 200],
    ['/api/public/otel/v1/traces', 'a wrong secret key', () => basic('pk-lf-1', 'sk-lf-1'), 401],
  ])('are taken at %s with %s', async (path, _name, credentials, status) => {
    const headers = { 'content-type': JSON_TYPE, 'hone-project': PROJECT };
    const answer = await trace.as(credentials()).post(path, aRequest([aSpan(S1)]), { headers });
    expect(answer.status).toBe(status);
    expect(await calls()).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([
    ['JSON', JSON_TYPE, '{"resourceMetrics":[{"any":1}]}', '{}'],
    ['protobuf', PROTOBUF, Buffer.from([1, 2, 3]), ''],
  ])('come with metrics in %s, which are accepted and dropped', async (_form, type, body, expected) => {
    const answer = await client.post('/otel/v1/metrics', body, { headers: { 'content-type': type } });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(expected);
  });

  it('are refused whole by a project that one may not write to, in the form that was sent', async () => {
    const reader = trace.as(await trace.user('rea', { roles: { acme: 'reader' } }));
    const request = aRequest([aSpan(S1)]);
    const json = await send(request, {}, reader);
    expect([json.status, json.json().code]).toEqual([403, 'access.denied']);
    const bytes = await send(inProtobuf(request), { 'content-type': PROTOBUF }, reader);
    expect([bytes.status, bytes.headers['content-type']]).toEqual([403, PROTOBUF]);
    expect(decoded('RpcStatus', bytes.bytes)).toEqual({ code: 7, message: json.json().detail });
    const nobody = await send(inProtobuf(request), { 'content-type': PROTOBUF }, trace.as(undefined));
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="hone", Bearer realm="hone"',
    ]);
    expect(decoded('RpcStatus', nobody.bytes)).toEqual({ code: 16, message: 'Credentials are missing.' });
    expect(await calls()).toEqual([]);
  });

  /** A value in a list in a list, so many levels deep. */
  function deepValue(levels: number): Buffer {
    let bytes = Buffer.from([0x18, 1]);
    const wrapped = (tag: number) => {
      const length = protobuf.Writer.create().uint32(bytes.length).finish();
      bytes = Buffer.concat([Buffer.from([tag]), length, bytes]);
    };
    for (let level = 0; level < levels; level++) {
      wrapped(0x0a);
      wrapped(0x2a);
    }
    for (const tag of [0x12, 0x4a, 0x12, 0x12, 0x0a]) wrapped(tag);
    return bytes;
  }

  it.each([
    ['no protobuf', Buffer.from('hello'), PROTOBUF],
    ['a protobuf that was cut', inProtobuf(aRequest([aSpan(S1)])).subarray(0, 30), PROTOBUF],
    ['levels without end', deepValue(20_000), PROTOBUF],
    ['bad JSON', '{"resourceSpans":', JSON_TYPE],
    ['a list', '[]', JSON_TYPE],
    ['nothing', '', JSON_TYPE],
    ['spans in no list', '{"resourceSpans":{}}', JSON_TYPE],
    ['a list of none', '{"resourceSpans":[null]}', JSON_TYPE],
    ['another type', 'a=b', 'application/x-www-form-urlencoded'],
  ])('are refused as %s with 422', async (_what, body, type) => {
    const answer = await send(body, { 'content-type': type });
    expect(answer.status).toBe(422);
    if (type === PROTOBUF) expect(decoded('RpcStatus', answer.bytes)).toMatchObject({ code: 3 });
    else expect(answer.json().detail[0].loc[0]).toBe('body');
  });

  it.each(['{}', '{"resourceSpans":null}', '{"resourceSpans":[{"scopeSpans":[null,{"spans":[7]}]}],"new":1}'])(
    'may be none: %s',
    async (body) => {
      expect((await send(body)).text).toBe('{}');
    },
  );

  it('that are broken in places keep what they have', async () => {
    const odd = aSpan(S1, {
      ...{ name: 7, kind: 'x', startTimeUnixNano: -5, endTimeUnixNano: '1e9', status: [], events: {}, links: [null] },
      attributes: [
        { key: 'a' },
        { value: { stringValue: 'b' } },
        5,
        { key: '\u0000', value: { stringValue: '\ud800\u0000' } },
      ],
    });
    expect((await send(aRequest([odd]))).text).toBe('{}');
    expect(await calls()).toMatchObject([{ id: S1, op_name: 'span', ended_at: null, attributes: { a: null } }]);
  });

  it('refuse other codings, and bodies over the limit', async () => {
    expect((await send('x', { 'content-encoding': 'br' })).status).toBe(415);
    const large = gzipSync(Buffer.alloc(33_554_433));
    const answer = await send(large, { 'content-type': PROTOBUF, 'content-encoding': 'gzip' });
    expect([answer.status, decoded('RpcStatus', answer.bytes)]).toEqual([
      413,
      { code: 3, message: 'The request body is over the limit of 33554432 bytes.' },
    ]);
  });
});
