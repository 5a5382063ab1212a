import Anthropic, { APIError } from '@anthropic-ai/sdk';

import { type ClientsApp, FAULT_TABLE, startClientsApp } from './clients.fixture.js';

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
    const content = [{ type: 'text', text: 'cat', citations: null }];
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

  it.each([
    [FAULT_TABLE.broken, 'stream_interrupted'],
    [FAULT_TABLE.failed, 'upstream_failed'],
  ])('throws for an interrupted stream (%s)', async (model, code) => {
    const messages = [{ role: 'user' as const, content: 'x' }];
    const read = () => client.messages.stream({ model, messages, max_tokens: 20 }).finalMessage();
    const error = await read().catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ type: 'api_error', errorCode: code });
  });
});
