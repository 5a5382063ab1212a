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

  it('calls a function in a namespace, and goes on with what it gave', async () => {
    const sky = { type: 'namespace' as const, name: 'sky', description: 'Of the sky.', tools: [weather] };
    const scripted = { model: 'scripted', tools: [sky] };
    gateway.scripted.say({ call: { name: 'sky__get_weather', arguments: { city: 'Paris' } } }, { content: 'Sunny.' });
    const { output } = await client.responses.stream({ ...scripted, input: 'Weather?' }).finalResponse();
    const [call] = output;
    if (call?.type !== 'function_call') throw new Error('It called nothing.');
    expect([call.namespace, call.name]).toEqual(['sky', 'get_weather']);
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'sunny' };
    const answer = await client.responses.create({ ...scripted, input: [call, result] });
    expect(answer.output_text).toBe('Sunny.');
    const [first, second] = gateway.scripted.requests;
    expect(first?.['tools']).toMatchObject([{ function: { name: 'sky__get_weather' } }]);
    expect(second?.messages).toMatchObject([
      { tool_calls: [{ function: { name: 'sky__get_weather' } }] },
      { role: 'tool' },
    ]);
  });

  describe('that are stored', () => {
    const first = { model: 'scripted', instructions: 'Be brief.', input: 'My name is Ada.' };
    const askFirst = async () => {
      gateway.scripted.say({ content: 'Hello Ada.' });
      return client.responses.create(first);
    };

    it('are continued, each with its own instructions', async () => {
      const { id } = await askFirst();
      gateway.scripted.say({ content: 'Ada.' }, { content: 'You are welcome.' });
      const second = await client.responses.create({
        model: 'scripted',
        previous_response_id: id,
        instructions: 'Be long.',
        input: 'What is my name?',
      });
      const third = await client.responses.create({
        model: 'scripted',
        previous_response_id: second.id,
        input: 'Thanks.',
      });
      expect([second.previous_response_id, third.output_text]).toEqual([id, 'You are welcome.']);
      const said = [
        { role: 'user', content: 'My name is Ada.' },
        { role: 'assistant', content: 'Hello Ada.' },
        { role: 'user', content: 'What is my name?' },
      ];
      const [two, three] = gateway.scripted.requests.map(({ messages }) => messages);
      expect(two).toEqual([{ role: 'system', content: 'Be long.' }, ...said]);
      expect(three).toEqual([...said, { role: 'assistant', content: 'Ada.' }, { role: 'user', content: 'Thanks.' }]);
    });

    it('are continued by the outputs of their calls', async () => {
      gateway.scripted.say(
        { call: { name: 'get_weather', arguments: { city: 'Paris' } } },
        { content: 'It is sunny.' },
      );
      const asked = { model: 'scripted', input: 'Weather?', tools: [weather] };
      const { id } = await client.responses.create(asked);
      const output = { type: 'function_call_output' as const, call_id: 'call_1', output: 'sunny' };
      await client.responses.create({ model: 'scripted', previous_response_id: id, input: [output], tools: [weather] });
      const [, { messages }] = gateway.scripted.requests as [unknown, { messages: object[] }];
      expect(messages.slice(1)).toEqual([
        expect.objectContaining({ role: 'assistant', tool_calls: [expect.objectContaining({ id: 'call_1' })] }),
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ]);
    });

    it('are read as they were given', async () => {
      gateway.scripted.say({ call: { name: 'get_weather', arguments: { city: 'Paris' } } });
      const format = { type: 'json_schema' as const, name: 'n', schema: { type: 'object' } };
      const tool_choice = { type: 'function' as const, name: 'get_weather' };
      const asked = {
        ...first,
        tools: [weather],
        tool_choice,
        metadata: { a: 'b' },
        max_output_tokens: 50,
        top_p: 0.5,
      };
      const given = await client.responses.create({
        ...asked,
        reasoning: { effort: 'low' },
        text: { format, verbosity: 'low' },
      });
      const read = await client.responses.retrieve(given.id);
      const timeless = ({ completed_at: _time, ...response }: object & { completed_at?: unknown }) => response;
      expect(timeless(read)).toEqual(timeless(given));
      expect(given).toMatchObject({ store: true });
    });

    it('list what they were asked with', async () => {
      const { id } = await askFirst();
      gateway.scripted.say({ content: 'Ada.' });
      const second = await client.responses.create({ model: 'scripted', previous_response_id: id, input: 'My name?' });
      const texts: unknown[] = [];
      for await (const item of client.responses.inputItems.list(second.id, { order: 'asc', limit: 2 })) {
        texts.push(
          item.type === 'message' ? item.content.map((part) => ('text' in part ? part.text : part.type)) : item.type,
        );
      }
      expect(texts).toEqual([['My name is Ada.'], ['Hello Ada.'], ['My name?']]);
    });

    it('are deleted with their calls', async () => {
      const { id } = await askFirst();
      await client.responses.delete(id);
      const missing = { status: 404, code: 'response_not_found' };
      await expect(client.responses.retrieve(id)).rejects.toMatchObject(missing);
      await expect(client.responses.delete(id)).rejects.toMatchObject(missing);
    });

    it('are none where the request, or its project, does not keep them', async () => {
      gateway.scripted.say({ content: 'a' }, { content: 'b' });
      const refused = await client.responses.create({ ...first, store: false });
      const metadata = { headers: { 'Hone-Log': 'metadata' } };
      const unkept = await client.responses.create(first, metadata);
      expect([refused, unkept]).toEqual([0, 1].map(() => expect.objectContaining({ store: false })));
      for (const { id } of [refused, unkept]) {
        const continued = client.responses.create({ model: 'scripted', previous_response_id: id, input: 'x' });
        await expect(continued).rejects.toMatchObject({
          status: 404,
          code: 'response_not_found',
          param: 'previous_response_id',
        });
      }
    });

    it('are those of their project alone', async () => {
      const { id } = await askFirst();
      const other = await gateway.user('eve', { roles: { eve: 'writer' } });
      const stranger = client.withOptions({ apiKey: other.key });
      await expect(stranger.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    });
  });

  it('says of the compaction of conversations that it is not there', async () => {
    const compacted = client.responses.compact({ model: 'gpt-5', input: 'x' });
    await expect(compacted).rejects.toMatchObject({ status: 404, code: 'not_found' });
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
