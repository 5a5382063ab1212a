import { until } from '@hone/testing';
import OpenAI, { APIError, APIUserAbortError, UnprocessableEntityError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';

import { type ClientsApp, FAULT_TABLE, startClientsApp, untilAborted } from './clients.fixture.js';

const Person = z.object({
  name: z.string().max(10),
  age: z.number().int().min(0).max(120),
  tags: z.array(z.enum(['a', 'b'])).max(2),
});
const PERSON = { name: 'Ada', age: 36, tags: ['a' as const] };

describe('the client openai', () => {
  let gateway: ClientsApp;
  let client: OpenAI;
  let sent = 0;
  beforeAll(async () => {
    gateway = await startClientsApp();
    const counted: typeof fetch = (...request) => {
      sent++;
      return fetch(...request);
    };
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, fetch: counted });
  });
  afterAll(() => gateway.close());
  beforeEach(() => (sent = 0));

  const messages = [{ role: 'user' as const, content: 'repeat: cat' }];

  describe.each(['hone-tiny', 'scripted'])('with the model %s', (model) => {
    const asked = { model, messages, temperature: 0 };
    beforeEach(() => gateway.scripted.say({ content: 'cat' }));

    it('creates a completion', async () => {
      const { choices, usage, id, _request_id } = await client.chat.completions.create(asked);
      expect(choices[0]!.message).toMatchObject({ role: 'assistant', content: 'cat' });
      expect(choices[0]!.finish_reason).toBe('stop');
      expect(usage!.total_tokens).toBe(12);
      expect(id).toBe(`chatcmpl-${_request_id}`);
    });

    it('streams one, with its usage', async () => {
      let text = '';
      let total = 0;
      const stream = await client.chat.completions.create({
        ...asked,
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        total += chunk.usage?.total_tokens ?? 0;
      }
      expect([text, total]).toEqual(['cat', 12]);
    });

    it('assembles a streamed completion', async () => {
      const completion = await client.chat.completions.stream(asked).finalChatCompletion();
      expect(completion.choices[0]).toMatchObject({ message: { content: 'cat' }, finish_reason: 'stop' });
    });

    it('reads an answer that fits a schema of zod', async () => {
      gateway.scripted.say({ content: JSON.stringify(PERSON) });
      const response_format = zodResponseFormat(Person, 'person');
      const { choices } = await client.chat.completions.parse({ ...asked, temperature: 1.2, seed: 7, response_format });
      expect(Person.parse(choices[0]!.message.parsed)).toEqual(JSON.parse(choices[0]!.message.content!));
    });

    it('calls the function that is named', async () => {
      gateway.scripted.say({ call: { name: 'get_weather', arguments: { city: 'Paris' } } });
      const cities: string[] = [];
      const runner = client.chat.completions.runTools({
        ...asked,
        tools: [weatherTool((city) => cities.push(city))],
        tool_choice: { type: 'function', function: { name: 'get_weather' } },
      });
      await runner.done();
      expect(cities).toEqual([expect.any(String)]);
      expect(runner.messages.at(-1)).toMatchObject({ role: 'tool', content: 'sunny' });
    });

    it('reads the model', async () => {
      expect(await client.models.retrieve(model)).toMatchObject({ id: model, object: 'model' });
    });
  });

  const weatherTool = (onCall: (city: string) => void) => ({
    type: 'function' as const,
    function: {
      name: 'get_weather',
      description: 'Tells the weather in a city.',
      parse: (text: string) => JSON.parse(text) as { city: string },
      parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 20 } }, required: ['city'] },
      function: ({ city }: { city: string }) => {
        onCall(city);
        return 'sunny';
      },
    },
  });

  it('runs tools until there is an answer', async () => {
    gateway.scripted.say({ call: { name: 'get_weather', arguments: { city: 'Paris' } } }, { content: 'It is sunny.' });
    const cities: string[] = [];
    const asked = { model: 'scripted', messages, tools: [weatherTool((city) => cities.push(city))] };
    for (const stream of [false, true]) {
      gateway.scripted.say(
        { call: { name: 'get_weather', arguments: { city: 'Paris' } } },
        { content: 'It is sunny.' },
      );
      const runner = stream
        ? client.chat.completions.runTools({ ...asked, stream: true })
        : client.chat.completions.runTools(asked);
      expect(await runner.finalContent()).toBe('It is sunny.');
      const [, second] = gateway.scripted.requests;
      expect((second!.messages as object[]).at(-1)).toMatchObject({
        role: 'tool',
        tool_call_id: 'call_1',
        content: 'sunny',
      });
    }
    expect(cities).toEqual(['Paris', 'Paris']);
  });

  it('lists the models', async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual(['hone-tiny', 'ok', ...Object.values(FAULT_TABLE), 'scripted']);
  });

  it('ends the answer of an upstream when it breaks out of its stream', async () => {
    const stream = await client.chat.completions.create({ model: FAULT_TABLE.endless, messages, stream: true });
    let count = 0;
    for await (const _ of stream) if (++count === 3) break;
    await untilAborted(gateway.fake);
  });

  it('aborts a completion', async () => {
    const leaving = new AbortController();
    const answer = client.chat.completions.create({ model: FAULT_TABLE.silent, messages }, { signal: leaving.signal });
    const refusal = expect(answer).rejects.toThrow(APIUserAbortError);
    await until(() => gateway.fake.count(FAULT_TABLE.silent) === 1, 'the request to the upstream');
    leaving.abort();
    await refusal;
    await untilAborted(gateway.fake);
  });

  it('reports the invalid field, and does not retry', async () => {
    const error = await client.chat.completions
      .create({ model: 'hone-tiny', messages, n: 0 })
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect(error).toMatchObject({ status: 422, param: 'n', code: 'greater_than_equal', type: 'invalid_request_error' });
    expect(error.message).toContain('body.n');
    expect(sent).toBe(1);
  });

  it('reports a wrong key and an unknown model', async () => {
    const stranger = client.withOptions({ apiKey: 'hone_unknown' });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    const unknown = client.chat.completions.create({ model: 'nobody', messages });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  it('waits for Retry-After when the gateway is overloaded', async () => {
    const startedMs = Date.now();
    const { choices } = await client.chat.completions.create({ model: FAULT_TABLE.busyOnce, messages });
    expect(choices[0]!.message.content).toContain('f0');
    expect(sent).toBe(2);
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(900);
  });

  it.each([
    [FAULT_TABLE.broken, 'stream_interrupted'],
    [FAULT_TABLE.failed, 'upstream_failed'],
  ])('throws for an interrupted stream (%s)', async (model, code) => {
    const texts: string[] = [];
    const read = async () => {
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '');
    };
    const error = await read().catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code, type: 'upstream_error' });
    expect(texts.join('')).toBe('f0 f1 f2');
  });
});
