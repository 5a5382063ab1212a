import { callOf, plain } from './span-call.fixture.js';

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const WEATHER = { name: 'weather', description: 'Weather of a city', parameters: PARAMETERS };
const TOOL = { type: 'function', function: WEATHER };
const ARGUMENTS = '{"city":"Bern"}';
const CALLS = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: ARGUMENTS } }];
const text = (value: unknown) => JSON.stringify(value);

/** What a span becomes, but for its ids and times. */
function read(of: Record<string, unknown>, span: Record<string, unknown> = {}) {
  const { start, end } = callOf(of, span);
  const { thread_id, display_name } = start;
  const { attributes, inputs } = plain(start);
  const { output, summary, exception } = plain(end);
  return { attributes, inputs, output, summary, exception, thread_id, display_name };
}
const usage = (model: string, prompt: number, completion: number, more: object = {}) => ({
  usage: {
    [model]: {
      requests: 1,
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      ...more,
    },
  },
});
const choice = (message: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
});

describe('spans of SDKs', () => {
  it('of LiteLLM keep calls of tools, and whose result it is, that stand beside the parts of a message', () => {
    const said = (role: string, content: string | null, more: object) => ({
      ...{ role, parts: content === null ? [] : [{ type: 'text', content }] },
      ...more,
    });
    const called = said('assistant', null, { tool_calls: CALLS });
    const call = read({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.response.model': 'm-2026' },
      'gen_ai.input.messages': text([called, said('tool', 'rain', { tool_call_id: 'call_1' })]),
      'gen_ai.output.messages': text([{ ...called, finish_reason: 'tool_calls' }]),
    });
    const message = { role: 'assistant', content: null, tool_calls: CALLS };
    const result = { role: 'tool', content: 'rain', tool_call_id: 'call_1' };
    expect(call.inputs).toEqual({ model: 'm', messages: [message, result] });
    expect(call.output).toEqual({ model: 'm-2026', ...choice(message, 'tool_calls') });
  });

  it('of LiteLLM have the calls of tools of an answer, which it writes beside the messages without their ids', () => {
    const call = read({
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.response.model': 'm-2026' },
      'gen_ai.output.messages': text([{ role: 'assistant', parts: [], finish_reason: 'tool_calls' }]),
      'gen_ai.completion.0.function_call.name': 'weather',
      'gen_ai.completion.0.function_call.arguments': ARGUMENTS,
      'gen_ai.completion.1.function_call.name': 'time',
    });
    const tool_calls = [
      { id: null, type: 'function', function: { name: 'weather', arguments: ARGUMENTS } },
      { id: null, type: 'function', function: { name: 'time', arguments: '' } },
    ];
    expect(call.output).toEqual({ model: 'm-2026', ...choice({ content: null, tool_calls }, 'tool_calls') });
  });

  it('of OpenInference have the parameters, tools and finish reason of the request', () => {
    const call = read({
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'm-2026',
      'llm.invocation_parameters': '{"model": "m", "max_tokens": 9, "temperature": 0.5}',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Weather?',
      'llm.tools.0.tool.json_schema': text(TOOL),
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'call_1',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'weather',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': ARGUMENTS,
      'llm.finish_reason': 'tool_calls',
      'llm.token_count.prompt': 30,
      'llm.token_count.completion': 12,
      'llm.token_count.prompt_details.cache_read': 10,
      'llm.token_count.prompt_details.cache_write': 4,
      'llm.token_count.completion_details.reasoning': 5,
    });
    const messages = [{ role: 'user', content: 'Weather?' }];
    expect(call.inputs).toEqual({ model: 'm', max_tokens: 9, temperature: 0.5, tools: [TOOL], messages });
    expect(call.output).toEqual({ model: 'm-2026', ...choice({ content: null, tool_calls: CALLS }, 'tool_calls') });
    expect(call.summary).toEqual(
      usage('m-2026', 30, 12, {
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 5 },
      }),
    );
  });

  it('of OpenInference that are no request to a model have the values that they were given', () => {
    const call = read({
      'openinference.span.kind': 'AGENT',
      'input.value': '{"question": "2+2?"}',
      'output.value': '4',
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.output_messages.0.message.content': 'It is 4.',
    });
    expect(call.inputs).toEqual({ question: '2+2?' });
    expect(call.output).toBe('4');
    expect(call.attributes.llm.input_messages).toEqual({ 0: { message: { role: 'system', content: 'Be brief.' } } });
  });

  it('of Langfuse have messages, parameters, tokens, conversation and failure of a generation', () => {
    const call = read({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'm',
      'langfuse.observation.model.parameters': '{"temperature": 1, "max_tokens": "Infinity"}',
      'langfuse.observation.input': text({ tools: [TOOL], messages: [{ role: 'user', content: 'q' }] }),
      'langfuse.observation.output': text({ role: 'assistant', content: null, tool_calls: CALLS }),
      'langfuse.observation.usage_details': '{"input":3,"output":1,"cache_read_input_tokens":2}',
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'bad',
      'langfuse.trace.tags': ['t'],
      'session.id': 'talk-1',
    });
    expect(call.inputs).toEqual({
      model: 'm',
      temperature: 1,
      tools: [TOOL],
      messages: [{ role: 'user', content: 'q' }],
    });
    expect(call.output).toEqual({ model: 'm', ...choice({ content: null, tool_calls: CALLS }) });
    expect(call.summary).toEqual(usage('m', 5, 1, { prompt_tokens_details: { cached_tokens: 2 } }));
    expect(call.exception).toBe('bad');
    expect(call.thread_id).toBe('talk-1');
    expect(call.attributes.langfuse.trace).toEqual({ tags: ['t'] });
    expect(call.attributes.langfuse.observation).not.toHaveProperty('input');
  });

  it.each([
    ['[{"role":"user","content":"q"}]', '"a"'],
    ['q', 'a'],
    ['"q"', '[{"role":"assistant","content":"a"}]'],
  ])('of Langfuse are a conversation whose input is %s and whose output is %s', (input, output) => {
    const call = read({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.input': input,
      'langfuse.observation.output': output,
    });
    expect(call.inputs).toEqual({ messages: [{ role: 'user', content: 'q' }] });
    expect(call.output).toEqual(choice({ content: 'a' }));
  });

  it.each([
    [
      {
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': '{"city": "Bern"}',
        'langfuse.observation.output': 'rain',
      },
    ],
    [{ 'langfuse.trace.input': '{"city": "Bern"}', 'langfuse.trace.output': '"rain"' }],
    [{ 'mlflow.spanType': '"TOOL"', 'mlflow.spanInputs': '{"city": "Bern"}', 'mlflow.spanOutputs': '"rain"' }],
    [{ 'gen_ai.operation.name': 'execute_tool', tool_arguments: '{"city":"Bern"}', tool_response: 'rain' }],
    [{ 'gen_ai.tool.call.arguments': '{"city":"Bern"}', 'gen_ai.tool.call.result': 'rain' }],
    [
      {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.input': '{"city": "Bern"}',
        'traceloop.entity.output': '"\\"rain\\""',
      },
    ],
  ])('of functions and tools have their arguments and results: %j', (of) => {
    const { inputs, output } = read(of);
    expect(inputs).toEqual({ city: 'Bern' });
    expect(String(output).replaceAll('"', '')).toBe('rain');
  });

  it('of OpenLLMetry have what a function returned, however often it was quoted, and the conversation', () => {
    const call = read({
      'traceloop.span.kind': 'workflow',
      'traceloop.entity.output': text(text({ answer: 4 })),
      'traceloop.association.properties.session_id': 'talk-1',
    });
    expect(call.output).toEqual({ answer: 4 });
    expect(call.thread_id).toBe('talk-1');
  });

  it('of OpenLLMetry have the parameters, tools and finish reason in the words of OpenAI', () => {
    const call = read({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.request.max_tokens': 9,
      'gen_ai.request.stop_sequences': ['x'],
      'gen_ai.request.choice.count': 2,
      'gen_ai.response.model': 'm-2026',
      'gen_ai.tool.definitions': text([{ type: 'function', ...WEATHER }]),
      'gen_ai.input.messages': text([{ role: 'user', parts: [{ type: 'text', content: 'Weather?' }] }]),
      'gen_ai.output.messages': text([
        {
          ...{ role: 'assistant', finish_reason: 'tool_call' },
          parts: [{ type: 'tool_call', name: 'weather', id: 'call_1', arguments: { city: 'Bern' } }],
        },
      ]),
    });
    const messages = [{ role: 'user', content: 'Weather?' }];
    expect(call.inputs).toEqual({ model: 'm', max_tokens: 9, stop: ['x'], n: 2, tools: [TOOL], messages });
    expect(call.output).toEqual({ model: 'm-2026', ...choice({ content: null, tool_calls: CALLS }, 'tool_calls') });
  });

  it('have parameters and tools without the messages that most clients do not send', () => {
    const of = { 'gen_ai.request.model': 'm', 'gen_ai.request.temperature': 0.5 };
    expect(read(of).inputs).toEqual({ model: 'm', temperature: 0.5 });
    const definitions = text([{ type: 'function', name: 'weather', parameters: PARAMETERS }]);
    expect(read({ 'gen_ai.tool.definitions': definitions }).inputs).toEqual({
      tools: [{ type: 'function', function: { name: 'weather', parameters: PARAMETERS } }],
    });
  });

  it('of MLflow have the request, the answer and the tokens of a chat', () => {
    const output = { id: 'c', model: 'm-2026', choices: [{ message: { role: 'assistant', content: 'a' } }] };
    const call = read({
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.llm.model': '"m-2026"',
      'mlflow.spanInputs': text({ model: 'm', messages: [{ role: 'user', content: 'q' }], temperature: 0.5 }),
      'mlflow.spanOutputs': text(output),
      'mlflow.chat.tools': text([TOOL]),
      'mlflow.chat.tokenUsage':
        '{"input_tokens": 30, "output_tokens": 12, "total_tokens": 42, "cache_read_input_tokens": 10}',
    });
    const messages = [{ role: 'user', content: 'q' }];
    expect(call.inputs).toEqual({ model: 'm', messages, temperature: 0.5, tools: [TOOL] });
    expect(call.output).toEqual(output);
    expect(call.summary).toEqual(usage('m-2026', 30, 12, { prompt_tokens_details: { cached_tokens: 10 } }));
  });

  it('that count tokens and name no model keep the tokens', () => {
    const call = read({ 'mlflow.chat.tokenUsage': '{"input_tokens":3,"output_tokens":1,"total_tokens":4}' });
    expect(call.summary).toEqual(usage('unknown', 3, 1));
  });

  it('of Pydantic AI have the messages of a run and its result', () => {
    const messages = [
      { role: 'user', parts: [{ type: 'text', content: 'Weather?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: ARGUMENTS }] },
      { role: 'user', parts: [{ type: 'tool_call_response', id: 'call_1', name: 'weather', result: 'rain' }] },
      { role: 'assistant', parts: [{ type: 'text', content: 'It rains.' }], finish_reason: 'stop' },
    ];
    const of = {
      'gen_ai.operation.name': 'invoke_agent',
      'pydantic_ai.all_messages': text(messages),
      'logfire.msg': 'a1 run',
    };
    const call = read({ ...of, final_result: '{"rains": true}', 'gen_ai.usage.input_tokens': 60 });
    expect(call.inputs).toEqual({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: null, tool_calls: CALLS },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      ],
    });
    expect(call.output).toEqual({ rains: true });
    expect(call.summary).toEqual({});
    expect(call.display_name).toBe('a1 run');
  });

  it.each([
    [
      { type: 'blob', mime_type: 'image/png', modality: 'image', content: 'YWJj' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,YWJj' } },
    ],
    [
      { type: 'binary', media_type: 'image/png', content: 'YWJj' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,YWJj' } },
    ],
    [
      { type: 'blob', mime_type: 'audio/mpeg', modality: 'audio', content: 'YWJj' },
      { type: 'input_audio', input_audio: { data: 'YWJj', format: 'mp3' } },
    ],
    [
      { type: 'blob', mime_type: 'application/pdf', modality: 'document', content: 'YWJj' },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,YWJj' } },
    ],
    [
      { type: 'uri', modality: 'image', uri: 'https://x/y.png' },
      { type: 'image_url', image_url: { url: 'https://x/y.png' } },
    ],
    [
      { type: 'file', modality: 'image', file_id: 'f1' },
      { type: 'file', file: { file_id: 'f1' } },
    ],
    [
      { type: 'video', of: 'x' },
      { type: 'video', of: 'x' },
    ],
  ])('have media as the chat API takes them: %j', (part, expected) => {
    const { inputs } = read({ 'gen_ai.input.messages': text([{ role: 'user', parts: [part] }]) });
    expect(inputs.messages).toEqual([{ role: 'user', content: [expected] }]);
  });

  it('are read though their JSON has the NaN of Python', () => {
    const messages =
      '[{"role":"user","parts":[{"type":"text","content":"q"},{"type":"x","score":NaN,"by":-Infinity}]}]';
    expect(read({ 'gen_ai.input.messages': messages }).inputs.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'x', score: null, by: null },
        ],
      },
    ]);
  });
});

describe('tokens of spans', () => {
  const CHAT = { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 300, 'gen_ai.usage.output_tokens': 50 };
  const counted = (of: Record<string, unknown>) => read(of).summary.usage.m;

  it.each([
    [
      {
        'gen_ai.usage.cache_read.input_tokens': 40,
        'gen_ai.usage.cache_creation.input_tokens': 25,
        'gen_ai.usage.reasoning.output_tokens': 30,
      },
    ],
    [
      {
        'gen_ai.usage.details.cache_read_tokens': 40,
        'gen_ai.usage.details.cache_write_tokens': 25,
        'gen_ai.usage.details.reasoning_tokens': 30,
      },
    ],
    [
      {
        'gen_ai.usage.cache_read.input_tokens': '40',
        'gen_ai.usage.cache_creation.input_tokens': '25',
        'gen_ai.usage.reasoning_tokens': '30',
      },
    ],
    [
      {
        'ai.usage.cachedInputTokens': 40,
        'ai.usage.inputTokenDetails.cacheWriteTokens': 25,
        'ai.usage.reasoningTokens': 30,
      },
    ],
    [
      {
        'gen_ai.usage.prompt_tokens_details.cached_tokens': 40,
        'gen_ai.usage.prompt_tokens_details.cache_write_tokens': 25,
        'gen_ai.usage.completion_tokens_details.reasoning_tokens': 30,
      },
    ],
  ])('keep their details: %j', (details) => {
    expect(counted({ ...CHAT, ...details })).toEqual({
      ...{ requests: 1, prompt_tokens: 300, completion_tokens: 50, total_tokens: 350 },
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 25 },
      completion_tokens_details: { reasoning_tokens: 30 },
    });
  });

  const FROM_CACHE = { 'gen_ai.usage.cache_read_input_tokens': 200, 'gen_ai.usage.cache_creation_input_tokens': 50 };
  it.each([
    ['Anthropic counts the cache beside them', { 'gen_ai.provider.name': 'anthropic' }, 550],
    ['OpenAI counts the cache among them', { 'gen_ai.provider.name': 'openai' }, 300],
    ['they were summed for Anthropic', { 'gen_ai.system': 'Anthropic', 'gen_ai.usage.total_tokens': 350 }, 300],
    ['they are fewer than those of the cache', { 'gen_ai.usage.input_tokens': 5 }, 255],
  ])('of the prompt have those of the cache among them where %s', (_name, of, prompt) => {
    expect(counted({ ...CHAT, ...FROM_CACHE, ...of })).toMatchObject({
      prompt_tokens: prompt,
      total_tokens: prompt + 50,
    });
  });

  it("of Vercel's AI SDK are counted once, at the step that used them", () => {
    const of = { 'ai.model.id': 'm', 'ai.usage.inputTokens': 3, 'ai.usage.outputTokens': 1 };
    expect(read({ ...of, 'ai.operationId': 'ai.generateText' }).summary).toEqual({});
    expect(read({ ...of, 'ai.operationId': 'ai.generateText.doGenerate' }).summary).toEqual(usage('m', 3, 1));
  });
});
