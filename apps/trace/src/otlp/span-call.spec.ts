import { stringifyJson } from '@hone/contracts';

import { attributes, callOf, IDS, plain } from './span-call.fixture.js';

describe('toCall', () => {
  it('keeps ids, times to the nanosecond, and everything that belongs to the span', () => {
    const { id, start, end } = callOf(
      { 'http.route': '/x', 'http.retries': 9007199254740993n, list: ['a', 1.5, true] },
      {
        kind: 3,
        parentSpanId: '00f067aa0ba902b7',
        events: [{ name: 'log', timeUnixNano: '7', attributes: attributes({ a: 1 }) }],
        links: [{ ...IDS, attributes: [] }],
      },
      { 'service.name': 'shop' },
    );
    expect(id).toBe('eee19b7ec3c1b174');
    expect(start).toMatchObject({
      ...{ op_name: 'chat', trace_id: IDS.traceId, parent_id: '00f067aa0ba902b7', thread_id: null, inputs: {} },
      started_at: '2026-01-15T09:59:00.123Z',
    });
    expect(end).toMatchObject({ ended_at: '2026-01-15T09:59:01.000Z', exception: null, output: null, summary: {} });
    expect(stringifyJson(start.attributes)).toContain('"retries":9007199254740993');
    expect(plain(start.attributes)).toMatchObject({
      ...{ http: { route: '/x' }, list: ['a', 1.5, true] },
      otel: {
        ...{ name: 'chat', kind: 'client', resource: { service: { name: 'shop' } }, scope: { name: 'lib' } },
        ...{ start_time_unix_nano: '1768471140123456789', end_time_unix_nano: '1768471141000000001' },
        events: [{ name: 'log', time_unix_nano: '7', attributes: { a: 1 } }],
        links: [{ trace_id: IDS.traceId, span_id: IDS.spanId }],
      },
    });
  });

  const CONVERSATION = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'rainy' },
    ],
    model: 'gpt-4.1',
  };
  const ANSWER = {
    model: 'gpt-4.1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'It rains.' }, finish_reason: 'stop' }],
  };
  const USAGE = { 'gpt-4.1': { requests: 1, prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } };
  const text = (content: string) => [{ type: 'text', content }];

  it.each([
    [
      "OpenTelemetry's messages of parts",
      {
        'gen_ai.request.model': 'gpt-4.1',
        'gen_ai.system_instructions': JSON.stringify(text('Be brief.')),
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: text('Weather in Paris?') },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Paris' } }],
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rainy' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: text('It rains.'), finish_reason: 'stop' },
        ]),
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
      },
    ],
    [
      'the same as structured values',
      {
        'gen_ai.request.model': 'gpt-4.1',
        'gen_ai.system_instructions': text('Be brief.'),
        'gen_ai.input.messages': [
          { role: 'user', parts: text('Weather in Paris?') },
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' }],
          },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', result: 'rainy' }] },
        ],
        'gen_ai.output.messages': [{ role: 'assistant', parts: text('It rains.'), finish_reason: 'stop' }],
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
      },
    ],
    [
      "OpenLLMetry's numbered attributes",
      {
        'gen_ai.request.model': 'gpt-4.1',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief.',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': 'Weather in Paris?',
        'gen_ai.prompt.2.role': 'assistant',
        'gen_ai.prompt.2.tool_calls.0.id': 'c1',
        'gen_ai.prompt.2.tool_calls.0.name': 'weather',
        'gen_ai.prompt.2.tool_calls.0.arguments': '{"city":"Paris"}',
        'gen_ai.prompt.3.role': 'tool',
        'gen_ai.prompt.3.tool_call_id': 'c1',
        'gen_ai.prompt.3.content': 'rainy',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'It rains.',
        'gen_ai.completion.0.finish_reason': 'stop',
        'gen_ai.usage.prompt_tokens': 12,
        'gen_ai.usage.completion_tokens': 3,
      },
    ],
  ])('reads a conversation in %s', (_form, of) => {
    const { start, end } = callOf(of);
    expect(plain(start.inputs)).toEqual(CONVERSATION);
    expect(plain(end?.output)).toEqual(ANSWER);
    expect(end?.summary).toEqual({ usage: USAGE });
    expect(plain(start.attributes)['gen_ai']).not.toHaveProperty('input');
    expect(plain(start.attributes)['gen_ai']).not.toHaveProperty('prompt');
    expect(plain(start.attributes)).toMatchObject({ gen_ai: { request: { model: 'gpt-4.1' } } });
  });

  it("reads OpenInference's conversation", () => {
    const { start, end } = callOf({
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4.1',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.1.message.role': 'user',
      'llm.input_messages.1.message.contents.0.message_content.type': 'text',
      'llm.input_messages.1.message.contents.0.message_content.text': 'What is this?',
      'llm.input_messages.1.message.contents.1.message_content.type': 'image',
      'llm.input_messages.1.message.contents.1.message_content.image.image.url': 'https://x/y.png',
      'llm.input_messages.2.message.role': 'assistant',
      'llm.input_messages.2.message.tool_calls.0.tool_call.id': 'c1',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.name': 'look',
      'llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments': '{}',
      'llm.input_messages.10.message.role': 'tool',
      'llm.input_messages.10.message.tool_call_id': 'c1',
      'llm.input_messages.10.message.content': 'a cat',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'A cat.',
      'llm.token_count.prompt': 12,
      'llm.token_count.completion': 3,
      'llm.token_count.total': 15,
      'session.id': 's1',
    });
    expect(plain(start.inputs).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ]);
    expect(plain(end?.output).choices[0].message).toEqual({ role: 'assistant', content: 'A cat.' });
    expect(end?.summary).toEqual({ usage: USAGE });
    expect(start.thread_id).toBe('s1');
  });

  it('reads messages that came as events', () => {
    const event = (name: string, of: object) => ({ name, timeUnixNano: '1', attributes: attributes(of) });
    const { start, end } = callOf(
      { 'gen_ai.response.model': 'm' },
      {
        events: [
          event('gen_ai.user.message', { content: 'hi' }),
          event('gen_ai.choice', { message: { role: 'assistant', content: 'ho' }, finish_reason: 'stop' }),
        ],
      },
    );
    expect(plain(start.inputs).messages).toEqual([{ role: 'user', content: 'hi' }]);
    expect(plain(end?.output).choices).toEqual([
      { index: 0, message: { role: 'assistant', content: 'ho' }, finish_reason: 'stop' },
    ]);
  });

  it.each([
    [{ 'gen_ai.tool.call.arguments': '{"a":1.0}', 'gen_ai.tool.call.result': '[2]' }, '{"a":1.0}', '[2]'],
    [{ 'input.value': 'plain', 'output.value': '{"b":' }, '{"input":"plain"}', '"{\\"b\\":"'],
    [{ 'traceloop.entity.input': '{"x":"y"}', 'traceloop.entity.output': 'z' }, '{"x":"y"}', '"z"'],
    [{ input: ['a'], output: 3 }, '{"input":["a"]}', '3'],
  ])('takes arguments and results of other spans: %j', (of, inputs, output) => {
    const { start, end } = callOf(of);
    expect(stringifyJson(start.inputs)).toBe(inputs);
    expect(stringifyJson(end?.output)).toBe(output);
  });

  it.each([{ 'gen_ai.operation.name': 'invoke_agent' }, { 'openinference.span.kind': 'AGENT' }])(
    'does not count the tokens of a model twice, once below and once in %j',
    (of) => {
      const { end } = callOf({ ...of, 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 5 });
      expect(end?.summary).toEqual({});
    },
  );

  it.each([
    [{ status: { code: 2, message: 'boom' } }, 'boom'],
    [{ status: { code: 2 } }, 'error'],
    [
      {
        status: { code: 2, message: 'boom' },
        events: [
          { name: 'exception', attributes: attributes({ 'exception.type': 'ValueError', 'exception.message': 'bad' }) },
        ],
      },
      'ValueError: bad',
    ],
    [{ status: { code: 1 } }, null],
  ])('says why it failed: %j', (span, exception) => {
    expect(callOf({}, span).end?.exception).toBe(exception);
  });

  it('keeps names that are values and beginnings of names, hostile ones, and very deep ones', () => {
    const deep = Array.from({ length: 600 }, () => 'd').join('.');
    const { start } = callOf({ a: 1, 'a.b': 2, 'a.b.c': 3, ['__proto__.x']: 4, 'constructor.y': 5, [deep]: 6, '': 7 });
    const kept = JSON.parse(stringifyJson(start.attributes));
    expect(kept).toMatchObject({ a: 1, 'a.b': 2, 'a.b.c': 3, constructor: { y: 5 }, [deep]: 6, '': 7 });
    expect(Object.getOwnPropertyDescriptor(kept, '__proto__')?.value).toEqual({ x: 4 });
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('cuts what columns do not take, and keeps it whole in the attributes', () => {
    const name = `\0${'n'.repeat(600)}`;
    const { start } = callOf({ 'session.id': 's'.repeat(200) }, { name });
    expect(start.op_name).toBe(`\ufffd${'n'.repeat(511)}`);
    expect(start.thread_id).toBe('s'.repeat(128));
    expect(plain(start.attributes)).toMatchObject({ otel: { name }, session: { id: 's'.repeat(200) } });
  });

  it('leaves a span that has not ended open', () => {
    expect(callOf({}, { endTimeUnixNano: '0' }).end).toBeNull();
  });
});
