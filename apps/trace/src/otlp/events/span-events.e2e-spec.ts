import { startTestApp, type TestApp, type TestClient } from '@hone/testing';
import protobuf from 'protobufjs';

import { PROJECT } from '../../testing/bodies.fixture.js';
import { anExport, aSpan, attributesOf, TRACE_A, TRACE_B } from '../../testing/spans.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { OTLP_SCHEMA } from '../otlp-schema.js';
import { SpanEventJob } from './span-event-job.js';

const SPAN = '1111111111111111';
const HOUR_MS = 3_600_000;

type Value = string | number | boolean | object;
const anyValue = (value: Value): object => {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'object') return { kvlistValue: { values: members(value) } };
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: String(value) };
};
const members = (object: object) => Object.entries(object).map(([key, value]) => ({ key, value: anyValue(value) }));

/** A log record as OpenTelemetry's instrumentation of OpenAI's SDK sends it: its time is that of its observation. */
const anEvent = (time: number, eventName: string, body: object, fields: object = {}) => ({
  ...{ traceId: TRACE_A, spanId: SPAN, observedTimeUnixNano: String(time), eventName },
  ...{ attributes: attributesOf({ 'gen_ai.system': 'openai' }), body: anyValue(body), ...fields },
});
const SYSTEM = anEvent(1, 'gen_ai.system.message', { content: 'Be brief.' });
const USER = anEvent(2, 'gen_ai.user.message', { content: 'Weather?' });
const CALLS = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }];
const ASSISTANT = anEvent(3, 'gen_ai.assistant.message', { tool_calls: CALLS });
const TOOL = anEvent(4, 'gen_ai.tool.message', { id: 'call_1', content: 'rain' });
const CHOICE = anEvent(5, 'gen_ai.choice', {
  ...{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It rains.' } },
});
const CHAT = aSpan(TRACE_A, SPAN, {
  attributes: attributesOf({
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.request.temperature': 0.5 },
    ...{ 'gen_ai.response.model': 'm-2026', 'gen_ai.usage.input_tokens': 3 },
  }),
});
const CONVERSATION = {
  ...{ model: 'm', temperature: 0.5 },
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, tool_calls: CALLS },
    { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
  ],
};
const ANSWER = {
  model: 'm-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'It rains.' }, finish_reason: 'stop' }],
};

describe('POST /otel/v1/logs', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values, span_events'));
  afterAll(() => trace.close());

  const headers = { 'content-type': 'application/json', 'hone-project': PROJECT };
  const sendLogs = (...logRecords: object[]) =>
    client.post('/otel/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }, { headers });
  const logs = async (...records: object[]) => expect((await sendLogs(...records)).text).toBe('{}');
  const spans = async (...sent: object[]) =>
    expect((await client.post('/otel/v1/traces', anExport(...sent), { headers })).text).toBe('{}');
  const read = async () => {
    const { inputs, output } = (await client.post('/call/read', { project_id: PROJECT, id: SPAN })).json().call;
    return { inputs, output };
  };

  it.each([
    [
      'before the span, one by one',
      [() => logs(SYSTEM), () => logs(USER, ASSISTANT, TOOL), () => logs(CHOICE), () => spans(CHAT)],
    ],
    [
      'after the span, one by one',
      [() => spans(CHAT), () => logs(SYSTEM), () => logs(USER, ASSISTANT, TOOL), () => logs(CHOICE)],
    ],
    [
      'around the span, out of order',
      [() => logs(CHOICE, TOOL), () => spans(CHAT), () => logs(ASSISTANT, USER, SYSTEM)],
    ],
    [
      'with a span that is sent again',
      [() => logs(SYSTEM, USER, ASSISTANT, TOOL, CHOICE), () => spans(CHAT), () => spans(CHAT)],
    ],
    [
      'twice',
      [
        () => logs(SYSTEM, USER, ASSISTANT, TOOL, CHOICE),
        () => spans(CHAT),
        () => logs(SYSTEM, USER, ASSISTANT, TOOL, CHOICE),
      ],
    ],
  ])('adds messages that come %s to the call', async (_when, steps) => {
    for (const step of steps) await step();
    expect(await read()).toEqual({ inputs: CONVERSATION, output: ANSWER });
  });

  it('adds messages that come at the same moment as the span', async () => {
    await Promise.all([logs(SYSTEM, USER), spans(CHAT), logs(ASSISTANT, TOOL), logs(CHOICE)]);
    expect(await read()).toEqual({ inputs: CONVERSATION, output: ANSWER });
  });

  it('adds what one event says of the whole request, in attributes', async () => {
    const text = (content: string) => [{ type: 'text', content }];
    const attributes = members({
      'gen_ai.system_instructions': text('Be brief.'),
      'gen_ai.input.messages': [{ role: 'user', parts: text('2+2?') }],
      'gen_ai.output.messages': [{ role: 'assistant', parts: text('4'), finish_reason: 'stop' }],
      'gen_ai.tool.definitions': [{ type: 'function', name: 'add' }],
    });
    await logs(anEvent(1, 'gen_ai.client.inference.operation.details', {}, { attributes }));
    await spans(CHAT);
    const { inputs, output } = await read();
    expect(inputs.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '2+2?' },
    ]);
    expect(inputs.tools).toEqual([{ type: 'function', function: { name: 'add' } }]);
    expect(output.choices).toMatchObject([{ message: { content: '4' }, finish_reason: 'stop' }]);
  });

  it('leaves the messages of a span that has its own', async () => {
    const messages = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'mine' }] }]);
    await logs(USER);
    await spans({ ...CHAT, attributes: [...CHAT.attributes, ...attributesOf({ 'gen_ai.input.messages': messages })] });
    await logs(CHOICE);
    const { inputs, output } = await read();
    expect(inputs.messages).toEqual([{ role: 'user', content: 'mine' }]);
    expect(output).toEqual(ANSWER);
  });

  it('adds nothing to the span of that id in another trace', async () => {
    await spans(CHAT);
    await logs({ ...USER, traceId: TRACE_B });
    expect((await read()).inputs).toEqual({ model: 'm', temperature: 0.5 });
  });

  it('drops other log records, and counts events that name no span', async () => {
    await logs({ ...USER, eventName: 'exception' }, { body: anyValue('text') });
    const partly = await sendLogs(USER, { ...USER, spanId: '' });
    expect(partly.json()).toEqual({
      partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringContaining('spanId') },
    });
    expect((await sendLogs({ ...USER, spanId: '' })).status).toBe(422);
    expect(await trace.sql('SELECT name FROM span_events')).toEqual([{ name: 'gen_ai.user.message' }]);
  });

  it('takes protobuf, and answers in it', async () => {
    const schema = protobuf.Root.fromJSON(OTLP_SCHEMA);
    const type = schema.lookupType('ExportLogsServiceRequest');
    const asBytes = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const record = { ...USER, traceId: asBytes(TRACE_A), spanId: asBytes(SPAN) };
    const request = type.fromObject({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    await spans(CHAT);
    const answer = await client.post('/otel/v1/logs', Buffer.from(type.encode(request).finish()), {
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/x-protobuf');
    expect((await read()).inputs.messages).toEqual([{ role: 'user', content: 'Weather?' }]);
  });

  it('keeps messages beside their call for less than an hour', async () => {
    await logs(USER);
    const job = trace.app.get(SpanEventJob);
    expect(await job.run()).toBe(0);
    expect(await job.run(Date.now() + HOUR_MS)).toBe(1);
    expect(await trace.sql('SELECT FROM span_events')).toEqual([]);
  });
});
