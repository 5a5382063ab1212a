import { AIMessage, type AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

import { type ClientsApp, FAULT_TABLE, startClientsApp } from './clients.fixture.js';

const Person = z.object({ name: z.string().max(10), age: z.number().int().min(0).max(120) });

describe('the client @langchain/openai', () => {
  let gateway: ClientsApp;
  beforeAll(async () => {
    gateway = await startClientsApp();
  });
  afterAll(() => gateway.close());

  const chat = (model: string, more: object = {}) =>
    new ChatOpenAI({ model, apiKey: gateway.key, configuration: { baseURL: gateway.baseUrl }, maxRetries: 0, ...more });
  const weather = tool(({ city }) => `sunny in ${city}`, {
    name: 'weather',
    description: 'Tells the weather in a city.',
    schema: z.object({ city: z.string().max(20) }),
  });
  const prompt = 'repeat: cat';

  describe.each(['hone-tiny', 'scripted'])('with the model %s', (model) => {
    beforeEach(() => gateway.scripted.say({ content: 'cat' }));

    it('invokes it', async () => {
      const {
        content,
        usage_metadata: usage,
        response_metadata: told,
      } = await chat(model, { temperature: 0 }).invoke(prompt);
      expect(content).toBe('cat');
      expect(usage).toMatchObject({ input_tokens: 9, output_tokens: 3, total_tokens: 12 });
      expect(told).toMatchObject({ finish_reason: 'stop' });
    });

    it('streams it, with its usage', async () => {
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await chat(model, { temperature: 0, streamUsage: true }).stream(prompt)) {
        whole = whole ? whole.concat(chunk) : chunk;
      }
      expect(whole!.content).toBe('cat');
      expect(whole!.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 3, total_tokens: 12 });
    });

    it('binds tools, and streams calls of them', async () => {
      const bound = chat(model).bindTools([weather], { tool_choice: 'weather' });
      const said = { call: { name: 'weather', arguments: { city: 'Paris' } } };
      gateway.scripted.say(said);
      const { tool_calls: calls } = await bound.invoke(prompt);
      expect(calls).toEqual([expect.objectContaining({ name: 'weather', args: { city: expect.any(String) } })]);
      gateway.scripted.say(said);
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await bound.stream(prompt)) whole = whole ? whole.concat(chunk) : chunk;
      expect(whole!.tool_calls).toEqual([
        expect.objectContaining({ name: 'weather', args: { city: expect.any(String) } }),
      ]);
    });

    it.each(['jsonSchema', 'functionCalling'] as const)('gives structured output by %s', async (method) => {
      const person = { name: 'Ada', age: 36 };
      gateway.scripted.say(
        method === 'jsonSchema'
          ? { content: JSON.stringify(person) }
          : { call: { name: 'extract', arguments: person } },
      );
      const structured = chat(model, { temperature: 1.2 }).withStructuredOutput(Person, { method });
      expect(Person.safeParse(await structured.invoke(prompt)).success).toBe(true);
    });
  });

  it.each(['when finished', 'when finished again'] as const)(
    'counts the usage once that the upstream reports %s',
    async (usage) => {
      gateway.scripted.say({ content: 'cat', usage });
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await chat('scripted', { streamUsage: true }).stream(prompt)) {
        whole = whole ? whole.concat(chunk) : chunk;
      }
      expect(whole!.content).toBe('cat');
      expect(whole!.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 3, total_tokens: 12 });
      expect(whole!.response_metadata).toMatchObject({ finish_reason: 'stop' });
    },
  );

  it('accepts a tool result', async () => {
    gateway.scripted.say({ call: { name: 'weather', arguments: { city: 'Paris' } } }, { content: 'It is sunny.' });
    const bound = chat('scripted').bindTools([weather]);
    const called = await bound.invoke(prompt);
    const result = (await weather.invoke(called.tool_calls![0]!)) as ToolMessage;
    const answer = await bound.invoke([new HumanMessage(prompt), called as AIMessage, result]);
    expect(answer.content).toBe('It is sunny.');
    expect((gateway.scripted.requests[1]!.messages as object[]).at(-1)).toMatchObject({
      role: 'tool',
      content: 'sunny in Paris',
    });
  });

  it.each([FAULT_TABLE.broken, FAULT_TABLE.failed])('throws for an interrupted answer (%s)', async (model) => {
    const texts: unknown[] = [];
    const read = async () => {
      for await (const { content } of await chat(model).stream(prompt)) texts.push(content);
    };
    await expect(read()).rejects.toThrow();
    expect(texts.join('')).toBe('f0 f1 f2');
  });

  it('throws the error', async () => {
    await expect(chat('hone-tiny', { n: 0 }).invoke(prompt)).rejects.toMatchObject({ status: 422, param: 'n' });
    await expect(chat('nobody').invoke(prompt)).rejects.toMatchObject({ status: 404 });
  });
});
