import Anthropic from '@anthropic-ai/sdk';

import { type ClientsApp, startClientsApp } from './clients.fixture.js';

describe('messages, by the client @anthropic-ai/sdk', () => {
  let gateway: ClientsApp;
  let client: Anthropic;
  beforeAll(async () => {
    gateway = await startClientsApp();
    client = new Anthropic({ baseURL: gateway.baseUrl.replace(/\/v1$/, ''), apiKey: gateway.key });
  });
  afterAll(() => gateway.close());

  const weather = {
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    input_schema: {
      type: 'object' as const,
      properties: { city: { type: 'string', maxLength: 20 } },
      required: ['city'],
      additionalProperties: false,
    },
  };

  describe.each(['hone-tiny', 'scripted'])('with the model %s', (model) => {
    const messages = [{ role: 'user' as const, content: 'repeat: cat' }];
    const asked = { model, max_tokens: 20, messages, temperature: 0 };
    const content = [{ type: 'text', text: 'cat', citations: [] }];
    const usage = { input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    beforeEach(() => gateway.scripted.say({ content: 'cat' }));

    it('creates one', async () => {
      const message = await client.messages.create(asked);
      expect(message).toMatchObject({ type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn' });
      expect(message.usage).toMatchObject(usage);
      expect(message.id).toBe(`msg_${message._request_id}`);
    });

    it('streams one', async () => {
      const types: string[] = [];
      let text = '';
      for await (const event of await client.messages.create({ ...asked, stream: true })) {
        types.push(event.type);
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
      }
      expect(text).toBe('cat');
      expect(types.filter((type) => type !== 'content_block_delta')).toEqual([
        'message_start',
        'content_block_start',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ]);
    });

    it('assembles a streamed one', async () => {
      const message = await client.messages.stream(asked).finalMessage();
      expect(message).toMatchObject({ model, content, stop_reason: 'end_turn' });
      expect(message.usage).toMatchObject(usage);
    });

    it('calls the tool that is named, and goes on with what it gave', async () => {
      gateway.scripted.say({ call: { name: 'get_weather', arguments: { city: 'Paris' } } });
      const tool_choice = { type: 'tool' as const, name: 'get_weather' };
      const called = await client.messages.create({ ...asked, tools: [weather], tool_choice, max_tokens: 200 });
      const use = called.content.find((block) => block.type === 'tool_use');
      if (use === undefined) throw new Error('It called nothing.');
      expect(called.stop_reason).toBe('tool_use');
      expect([use.name, use.input]).toEqual(['get_weather', { city: expect.any(String) }]);
      gateway.scripted.say({ content: 'It is sunny.' });
      const result = { type: 'tool_result' as const, tool_use_id: use.id, content: 'sunny' };
      const turns = [
        { role: 'user' as const, content: 'How is the weather?' },
        { role: 'assistant' as const, content: called.content },
        { role: 'user' as const, content: [result] },
      ];
      const answer = await client.messages.create({ ...asked, messages: turns, tools: [weather] });
      expect(answer.stop_reason).toMatch(/^(end_turn|max_tokens)$/);
    });
  });

  const hello = { max_tokens: 20, messages: [{ role: 'user' as const, content: 'repeat: cat' }] };

  it('counts tokens as the engine does, and those that tools add', async () => {
    const asked = { model: 'hone-tiny', messages: hello.messages };
    const { usage } = await client.messages.create({ ...asked, max_tokens: 1 });
    const { input_tokens: plain } = await client.messages.countTokens(asked);
    expect(plain).toBe(usage.input_tokens);
    const { input_tokens: more } = await client.messages.countTokens({
      ...asked,
      system: 'Be brief.',
      tools: [weather],
    });
    expect(more).toBeGreaterThan(plain);
  });

  it('counts tokens of a prompt that is too long', async () => {
    const messages = [{ role: 'user' as const, content: 'cat '.repeat(1_500) }];
    const { input_tokens: count } = await client.messages.countTokens({ model: 'hone-tiny', messages });
    expect(count).toBeGreaterThan(1_500);
  });

  it('asks vLLM for the tokens, and estimates those of servers that do not count', async () => {
    gateway.scripted.say();
    const counted = await client.messages.countTokens({
      model: 'scripted',
      messages: hello.messages,
      tools: [weather],
    });
    expect(counted).toEqual({ input_tokens: 42 });
    const { input_schema: parameters, ...named } = weather;
    expect(gateway.scripted.requests).toEqual([
      {
        model: 'scripted',
        messages: hello.messages,
        tools: [{ type: 'function', function: { ...named, parameters } }],
      },
    ]);
    const { input_tokens: estimated } = await client.messages.countTokens({ model: 'ok', messages: hello.messages });
    expect(estimated).toBeGreaterThan(0);
  });

  it('sends what the blocks of a conversation say', async () => {
    gateway.scripted.say({ content: 'It is sunny.' });
    await client.messages.create({
      model: 'scripted',
      max_tokens: 20,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'How is the weather in Paris and in Rome?' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'I have to look.', signature: 'x' },
            { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Paris' } },
            { type: 'tool_use', id: 'b', name: 'get_weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
            { type: 'tool_result', tool_use_id: 'b', content: 'no such city', is_error: true },
            { type: 'text', text: 'Be quick.' },
          ],
        },
      ],
      tools: [weather],
    });
    const call = (id: string, city: string) => ({
      id,
      type: 'function',
      function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
    });
    expect(gateway.scripted.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is the weather in Paris and in Rome?' },
      { role: 'assistant', content: null, tool_calls: [call('a', 'Paris'), call('b', 'Rome')] },
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: no such city' },
      { role: 'user', content: 'Be quick.' },
    ]);
  });

  it('answers what Claude Code sends', async () => {
    gateway.scripted.say({ content: 'Done.' });
    const cached = { cache_control: { type: 'ephemeral' } };
    const text = (words: string) => ({ type: 'text', text: words });
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const response = await fetch(`${gateway.baseUrl}/messages?beta=true`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${gateway.key}`,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
      },
      body: JSON.stringify({
        model: 'scripted',
        messages: [
          { role: 'user', content: [text('<system-reminder>'), { ...text('Run echo.'), ...cached }] },
          { role: 'system', content: [text('# Environment')] },
        ],
        system: [text('x-anthropic-billing-header: x'), { ...text('You are an agent.'), ...cached }],
        tools: [{ ...weather, input_schema: { $schema, ...weather.input_schema } }],
        metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' },
        max_tokens: 32_000,
        thinking: { type: 'adaptive', display: 'updates' },
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        output_config: { effort: 'high' },
        stream: true,
      }),
    });
    expect(await response.text()).toContain('"stop_reason":"end_turn"');
    expect(gateway.scripted.requests[0]).toEqual({
      model: 'scripted',
      messages: [
        { role: 'system', content: [text('x-anthropic-billing-header: x'), text('You are an agent.')] },
        { role: 'user', content: [text('<system-reminder>'), text('Run echo.')] },
        { role: 'system', content: '# Environment' },
      ],
      tools: [expect.objectContaining({ type: 'function' })],
      max_completion_tokens: 32_000,
      reasoning_effort: 'high',
      user: '{"device_id":"d","account_uuid":"","session_id":"s"}',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('ends at a stop sequence, and says at which', async () => {
    const asked = { ...hello, model: 'hone-tiny', temperature: 0, stop_sequences: ['t'] };
    const message = await client.messages.create(asked);
    expect(message).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 't' });
    expect(message.content).toMatchObject([{ type: 'text', text: 'ca' }]);
    const streamed = await client.messages.stream(asked).finalMessage();
    expect(streamed).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 't' });
  });

  it('continues what the assistant has begun', async () => {
    const messages = [...hello.messages, { role: 'assistant' as const, content: 'c' }];
    const asked = { ...hello, model: 'hone-tiny', temperature: 0, messages };
    const { content } = await client.messages.create(asked);
    expect(content).toMatchObject([{ type: 'text', text: 'at' }]);
  });

  it('answers with JSON that fits a schema', async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
    const output_config = {
      format: { type: 'json_schema' as const, schema: { ...schema, additionalProperties: false } },
    };
    const { content } = await client.messages.create({ ...hello, model: 'hone-tiny', max_tokens: 100, output_config });
    const [block] = content;
    expect(JSON.parse(block?.type === 'text' ? block.text : '')).toEqual({ age: expect.any(Number) });
  });

  it('ends an answer at the limit', async () => {
    const message = await client.messages.create({ ...hello, model: 'hone-tiny', max_tokens: 1 });
    expect(message).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 1 } });
  });

  it('takes the key as a bearer token as well', async () => {
    const other = new Anthropic({
      baseURL: gateway.baseUrl.replace(/\/v1$/, ''),
      apiKey: null,
      authToken: gateway.key,
    });
    expect(await other.messages.countTokens({ model: 'hone-tiny', messages: hello.messages })).toMatchObject({
      input_tokens: expect.any(Number),
    });
  });
});
