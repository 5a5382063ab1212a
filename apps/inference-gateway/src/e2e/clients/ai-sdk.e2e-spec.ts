import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

import { type ClientsApp, FAULT_TABLE, startClientsApp, untilAborted } from './clients.fixture.js';

const Person = z.object({ name: z.string().max(10), age: z.number().int().min(0).max(120) });

describe('the client ai with @ai-sdk/openai-compatible', () => {
  let gateway: ClientsApp;
  let hone: ReturnType<typeof createOpenAICompatible>;
  beforeAll(async () => {
    gateway = await startClientsApp();
    const { baseUrl: baseURL, key: apiKey } = gateway;
    hone = createOpenAICompatible({
      name: 'hone',
      baseURL,
      apiKey,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
  });
  afterAll(() => gateway.close());

  const prompt = 'repeat: cat';
  const weather = (cities: string[]) =>
    tool({
      description: 'Tells the weather in a city.',
      inputSchema: z.object({ city: z.string().max(20) }),
      execute: ({ city }) => {
        cities.push(city);
        return 'sunny';
      },
    });

  describe.each(['hone-tiny', 'scripted'])('with the model %s', (id) => {
    const model = () => hone(id);
    beforeEach(() => gateway.scripted.say({ content: 'cat' }));

    it('generates text', async () => {
      const { text, usage, finishReason, response } = await generateText({ model: model(), prompt, temperature: 0 });
      expect([text, finishReason]).toEqual(['cat', 'stop']);
      expect(usage).toMatchObject({ inputTokens: 9, outputTokens: 3, totalTokens: 12 });
      expect(response.id).toMatch(/^chatcmpl-/);
    });

    it('streams text, with its usage', async () => {
      const result = streamText({ model: model(), prompt, temperature: 0 });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      expect(pieces.join('')).toBe('cat');
      expect(await result.finishReason).toBe('stop');
      expect(await result.usage).toMatchObject({ inputTokens: 9, outputTokens: 3, totalTokens: 12 });
    });

    it('calls tools, streamed or not', async () => {
      for (const run of [generateText, streamText]) {
        gateway.scripted.say({ call: { name: 'weather', arguments: { city: 'Paris' } } });
        const cities: string[] = [];
        const tools = { weather: weather(cities) };
        const result = run({ model: model(), prompt, tools, toolChoice: 'required', stopWhen: stepCountIs(1) });
        const calls = await (await result).toolCalls;
        expect(calls).toEqual([expect.objectContaining({ toolName: 'weather', input: { city: expect.any(String) } })]);
        expect(await (await result).finishReason).toBe('tool-calls');
        expect(cities).toEqual([(calls[0]!.input as { city: string }).city]);
      }
    });

    it('generates objects that fit a schema', async () => {
      gateway.scripted.say({ content: '{"name":"Ada","age":36}' });
      const { object } = await generateObject({ model: model(), schema: Person, prompt, temperature: 1.2, seed: 7 });
      expect(Person.parse(object)).toEqual(object);
    });
  });

  it('continues after a tool result', async () => {
    gateway.scripted.say({ call: { name: 'weather', arguments: { city: 'Paris' } } }, { content: 'It is sunny.' });
    const cities: string[] = [];
    const tools = { weather: weather(cities) };
    const { text, steps } = await generateText({ model: hone('scripted'), prompt, tools, stopWhen: stepCountIs(3) });
    expect([text, steps.length, cities]).toEqual(['It is sunny.', 2, ['Paris']]);
  });

  it.each([FAULT_TABLE.broken, FAULT_TABLE.failed])('reports an interrupted answer (%s)', async (id) => {
    const result = streamText({ model: hone(id), prompt, maxRetries: 0, onError: () => undefined });
    const parts: { type: string }[] = [];
    for await (const part of result.fullStream) parts.push(part);
    const types = parts.map(({ type }) => type);
    expect(types.filter((type) => type === 'text-delta')).toHaveLength(3);
    expect(types).toContain('error');
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
  });

  it('ends the answer of an upstream when it is aborted', async () => {
    const leaving = new AbortController();
    const result = streamText({ model: hone(FAULT_TABLE.endless), prompt, abortSignal: leaving.signal });
    let count = 0;
    for await (const part of result.fullStream) if (part.type === 'text-delta' && ++count === 2) leaving.abort();
    await untilAborted(gateway.fake);
  });

  it('reports the error', async () => {
    const asked = generateText({ model: hone('nobody'), prompt });
    await expect(asked).rejects.toThrow(APICallError);
    await expect(asked).rejects.toMatchObject({
      statusCode: 404,
      isRetryable: false,
      message: "There is no model 'nobody'.",
    });
    const wrong = generateText({ model: hone('hone-tiny'), prompt, topP: 2 });
    await expect(wrong).rejects.toMatchObject({ statusCode: 422, isRetryable: false });
  });
});
