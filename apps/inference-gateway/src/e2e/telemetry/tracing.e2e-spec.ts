import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

import { CHAT_PATH, type ObservedGateway, startObservedGateway } from './observed-gateway.fixture.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const messages = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'my prompt' },
];
const TARGETS = { plain: ['ok'], turned: ['status@500', 'ok+as@backup'], lost: ['damaged-frame@3'] } as const;

describe('traces of the gateway', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  let fakes: [FakeUpstream, FakeUpstream];
  let gateway: ObservedGateway;
  beforeAll(async () => {
    provider.register();
    fakes = [await FakeUpstream.start(), await FakeUpstream.start()];
    gateway = await startObservedGateway(TARGETS, fakes);
  });
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await gateway.close();
    await provider.shutdown();
    trace.disable();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });

  const requestSpans = () => exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);

  /** The spans of one request: its own, and those of its attempts. */
  async function spansOf(body: object, headers: Record<string, string> = {}): Promise<[ReadableSpan, ReadableSpan[]]> {
    await gateway.caller.post(CHAT_PATH, { messages, ...body }, { headers });
    await until(() => requestSpans().length > 0);
    const spans = exporter.getFinishedSpans();
    const request = requestSpans();
    expect(request).toHaveLength(1);
    return [request[0] as ReadableSpan, spans.filter(({ kind }) => kind === SpanKind.CLIENT)];
  }

  it('have one span per request, with the attributes of the semantic conventions', async () => {
    const asked = { model: 'plain', stream: true, temperature: 0.5, max_tokens: 20, seed: 7 };
    const [span] = await spansOf(asked, { 'x-request-id': 'rid-1' });
    expect(span.name).toBe('chat plain');
    expect(span.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'hone',
      'gen_ai.request.model': 'plain',
      'gen_ai.request.stream': true,
      'gen_ai.request.choice.count': 1,
      'gen_ai.request.max_tokens': 20,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.seed': 7,
      'gen_ai.response.id': 'chatcmpl-rid-1',
      'gen_ai.response.model': 'ok',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
      'hone.request.id': 'rid-1',
      'hone.request.uid': expect.any(String),
      'hone.project': 'wendy/default',
      'hone.route': 'plain',
      'hone.target': 'main/ok',
      'hone.attempts': 1,
      'hone.queue_seconds': expect.any(Number),
      'http.response.status_code': 200,
    });
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('have the finish reason of each choice, streamed or not', async () => {
    for (const stream of [true, false]) {
      exporter.reset();
      const [span] = await spansOf({ model: 'plain', n: 2, stream });
      expect(span.attributes['gen_ai.response.finish_reasons']).toEqual(['stop', 'stop']);
    }
  });

  it("continue the caller's trace, and the upstream continues the attempt's span", async () => {
    const [span, [attempt]] = await spansOf({ model: 'plain' }, { traceparent: PARENT });
    const { traceId, spanId } = attempt!.spanContext();
    expect(span.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
    expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(attempt!.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
    expect(fakes[0].requests.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });

  it('begin a new trace when the traceparent is malformed', async () => {
    const [span] = await spansOf({ model: 'plain' }, { traceparent: '00-zz-yy-01' });
    expect(span.parentSpanContext).toBeUndefined();
    expect(fakes[0].requests.at(-1)?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('have a span for each attempt, with its outcome', async () => {
    const [span, attempts] = await spansOf({ model: 'turned' });
    expect(attempts.map(({ name, attributes, status }) => [name, attributes, status.code])).toEqual([
      ...[1, 2, 3].map((number) => [
        'attempt main/status@500',
        {
          'hone.target': 'main/status@500',
          'hone.attempt.number': number,
          'hone.attempt.outcome': 'failed',
          'gen_ai.provider.name': 'main',
          'error.type': 'failed',
          'http.response.status_code': 500,
        },
        SpanStatusCode.ERROR,
      ]),
      [
        'attempt backup/ok+as@backup',
        {
          'hone.target': 'backup/ok+as@backup',
          'hone.attempt.number': 4,
          'hone.attempt.outcome': 'ok',
          'gen_ai.provider.name': 'backup',
        },
        SpanStatusCode.UNSET,
      ],
    ]);
    expect(span.attributes).toMatchObject({ 'hone.target': 'backup/ok+as@backup', 'hone.attempts': 4 });
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('include failures, and refusals before the body was read', async () => {
    const [failed] = await spansOf({ model: 'lost', stream: true });
    expect(failed.status.code).toBe(SpanStatusCode.ERROR);
    expect(failed.attributes['error.type']).toBe('stream_damaged');
    expect(failed.attributes).not.toHaveProperty('gen_ai.response.id');
    exporter.reset();
    await gateway.as('Bearer wrong').post(CHAT_PATH, { model: 'plain', messages });
    await until(() => requestSpans().length > 0);
    const [refused] = requestSpans();
    expect(refused?.name).toBe('chat');
    expect(refused?.attributes).toMatchObject({ 'error.type': 'invalid_api_key', 'http.response.status_code': 401 });
    expect(refused?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('contain no text by default', async () => {
    await spansOf({ model: 'plain' });
    expect(JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('my prompt');
  });
});

describe('traces of a gateway that captures text', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  let fake: FakeUpstream;
  let gateway: ObservedGateway;
  beforeAll(async () => {
    provider.register();
    fake = await FakeUpstream.start();
    gateway = await startObservedGateway({ plain: ['ok'] }, [fake, fake], { otel: { capture: true } });
  });
  afterAll(async () => {
    await gateway.close();
    await provider.shutdown();
    trace.disable();
    await fake.stop();
  });

  it('contain the prompt', async () => {
    await gateway.caller.post(CHAT_PATH, { model: 'plain', messages });
    const requestSpan = () => exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER);
    await until(() => requestSpan() !== undefined);
    const span = requestSpan();
    expect(JSON.parse(String(span?.attributes['gen_ai.input.messages']))).toEqual([
      { role: 'system', parts: [{ type: 'text', content: 'be brief' }] },
      { role: 'user', parts: [{ type: 'text', content: 'my prompt' }] },
    ]);
  });
});

describe('without an SDK', () => {
  let fake: FakeUpstream;
  let gateway: ObservedGateway;
  beforeAll(async () => {
    fake = await FakeUpstream.start();
    gateway = await startObservedGateway({ plain: ['ok'] }, [fake, fake]);
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  it("the caller's traceparent is forwarded unchanged", async () => {
    await gateway.caller.post(CHAT_PATH, { model: 'plain', messages }, { headers: { traceparent: PARENT } });
    expect(fake.requests[0]?.headers.traceparent).toBe(PARENT);
    await gateway.caller.post(CHAT_PATH, { model: 'plain', messages });
    expect(fake.requests[1]?.headers).not.toHaveProperty('traceparent');
  });
});
