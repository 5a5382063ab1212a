import OpenAI, { APIError } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

import { type ClientsApp, FAULT_TABLE, startClientsApp } from './clients.fixture.js';

const Person = z.object({ name: z.string().max(10), age: z.number().int().min(0).max(120) });

describe('responses, by the client openai', () => {
  let gateway: ClientsApp;
  let client: OpenAI;
  beforeAll(async () => {
    gateway = await startClientsApp();
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key });
  });
  afterAll(() => gateway.close());

  const weather = {
    type: 'function' as const,
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 20 } },
      required: ['city'],
      additionalProperties: false,
    },
  };

  describe.each(['hone-tiny', 'scripted'])('with the model %s', (model) => {
    const asked = { model, input: 'repeat: cat', temperature: 0 };
    beforeEach(() => gateway.scripted.say({ content: 'cat' }));

    it('creates one', async () => {
      const response = await client.responses.create(asked);
      expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: 'cat', error: null });
      expect(response.usage).toMatchObject({ input_tokens: 9, output_tokens: 3, total_tokens: 12 });
      expect(response.id).toBe(`resp_${response._request_id}`);
    });

    it('streams one', async () => {
      const types: string[] = [];
      const sequence: number[] = [];
      let text = '';
      for await (const event of await client.responses.create({ ...asked, stream: true })) {
        types.push(event.type);
        sequence.push(event.sequence_number);
        if (event.type === 'response.output_text.delta') text += event.delta;
      }
      expect(text).toBe('cat');
      expect(types.filter((type) => type !== 'response.output_text.delta')).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ]);
      expect(sequence).toEqual(sequence.map((_number, at) => at));
    });

    it('assembles a streamed one', async () => {
      const response = await client.responses.stream(asked).finalResponse();
      expect(response).toMatchObject({ status: 'completed', output_text: 'cat', usage: { total_tokens: 12 } });
    });

    it('reads one that fits a schema of zod', async () => {
      gateway.scripted.say({ content: '{"name":"Ada","age":36}' });
      const text = { format: zodTextFormat(Person, 'person') };
      const { output_parsed: person, output_text: json } = await client.responses.parse({ ...asked, text });
      expect(person).toEqual(JSON.parse(json));
    });

    it('calls the function that is named, and goes on with what it gave', async () => {
      gateway.scripted.say({ call: { name: 'get_weather', arguments: { city: 'Paris' } } });
      const tool_choice = { type: 'function' as const, name: 'get_weather' };
      const { output } = await client.responses.create({ ...asked, tools: [weather], tool_choice });
      const [call] = output;
      if (call?.type !== 'function_call') throw new Error('It called nothing.');
      expect([call.name, JSON.parse(call.arguments)]).toEqual(['get_weather', { city: expect.any(String) }]);
      gateway.scripted.say({ content: 'It is sunny.' });
      const input = [
        { role: 'user' as const, content: 'How is the weather?' },
        call,
        { type: 'function_call_output' as const, call_id: call.call_id, output: 'sunny' },
      ];
      const answer = await client.responses.create({ ...asked, input, tools: [weather] });
      expect(answer.status).toBe('completed');
    });
  });

  it('reports an invalid field by its name here', async () => {
    const asked = client.responses.create({ model: 'hone-tiny', input: 'x', max_output_tokens: 0 });
    await expect(asked).rejects.toMatchObject({ status: 422, param: 'max_output_tokens' });
  });

  it.each([
    [{ tools: [{ type: 'web_search' as const }] }, 'tools.0.type'],
    [{ background: true }, 'background'],
    [{ input: [{ type: 'item_reference' as const, id: 'x' }] }, 'input.0.type'],
    [{ conversation: 'c' }, 'conversation'],
    [{ truncation: 'auto' as const }, 'truncation'],
  ])('refuses what it cannot carry by its name: %j', async (changes, param) => {
    const asked = client.responses.create({ model: 'scripted', input: 'x', ...changes });
    await expect(asked).rejects.toMatchObject({ status: 422, param });
  });

  it.each([
    [FAULT_TABLE.broken, 'stream_interrupted'],
    [FAULT_TABLE.failed, 'upstream_failed'],
  ])('throws for an interrupted stream (%s)', async (model, code) => {
    const read = async () => {
      for await (const _ of await client.responses.create({ model, input: 'x', stream: true }));
    };
    const error = await read().catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code, type: 'upstream_error' });
  });
});
