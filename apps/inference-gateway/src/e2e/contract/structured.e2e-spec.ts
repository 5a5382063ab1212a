import { Ajv } from 'ajv';

import { type ContractApp, issuesOf, said, startContractApp, textOf } from './contract.fixture.js';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 8 },
    age: { type: 'integer', minimum: 0, maximum: 120 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
  },
  required: ['name', 'age', 'tags'],
  additionalProperties: false,
};
const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', maxLength: 20 }, days: { type: 'integer', minimum: 1, maximum: 7 } },
      required: ['city', 'days'],
      additionalProperties: false,
    },
  },
};
const TIMER = {
  type: 'function' as const,
  function: { name: 'set_timer', parameters: { type: 'object', properties: { minutes: { type: 'integer' } } } },
};

describe('structured output', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp({ limits: { compile_states: 100 } });
  });
  afterAll(() => gateway.close());

  const fits = new Ajv().compile(SCHEMA);
  /** A hundred answers at a high temperature. */
  const hundred = async (fields: object): Promise<string[]> => {
    const asked = { messages: said('fill a JSON object'), temperature: 1.3, max_tokens: 400, n: 10, ...fields };
    const batches = Array.from({ length: 10 }, (_, batch) => gateway.answer({ ...asked, seed: batch * 10 }));
    const choices = (await Promise.all(batches)).flatMap((body) => body.choices);
    expect(choices.map(({ finish_reason }) => finish_reason)).toEqual(Array(100).fill('stop'));
    return choices.map(({ message }) => message.content!);
  };

  it('always fits a strict schema', async () => {
    const json_schema = { name: 'person', strict: true, schema: SCHEMA };
    for (const text of await hundred({ response_format: { type: 'json_schema', json_schema } })) {
      expect([text, fits(JSON.parse(text))]).toEqual([text, true]);
    }
  });

  it('always matches a pattern', async () => {
    const texts = await hundred({ structured_outputs: { regex: '(yes|no)(, (really|maybe) [0-9]{1,3})?!' } });
    expect(texts.filter((text) => !/^(yes|no)(, (really|maybe) [0-9]{1,3})?!$/.test(text))).toEqual([]);
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it('is always one of the choices', async () => {
    const choice = ['cat', 'category', 'dög', '🦜'];
    const texts = await hundred({ structured_outputs: { choice } });
    expect(texts.filter((text) => !choice.includes(text))).toEqual([]);
  });

  it('is an object, without whitespace on request', async () => {
    const text = textOf(await gateway.answer({ response_format: { type: 'json_object' }, temperature: 0 }));
    expect(JSON.parse(text)).toBeInstanceOf(Object);
    const structured_outputs = { json: JSON.stringify(SCHEMA), disable_any_whitespace: true };
    const dense = textOf(await gateway.answer({ structured_outputs, temperature: 1, seed: 1 }));
    expect(dense).toBe(JSON.stringify(JSON.parse(dense)));
  });

  it('refuses a pattern beyond the operator’s limit', async () => {
    const text = textOf(await gateway.answer({ structured_outputs: { regex: '[ab]{100}' }, max_tokens: 100 }));
    expect(text).toMatch(/^[ab]{1,100}$/);
    const refused = await gateway.ask({ structured_outputs: { regex: '[ab]{101}' } });
    expect(issuesOf(refused)).toEqual(['body.structured_outputs.regex value_error']);
    expect(refused.json().detail[0].msg).toBe('The patterns have more than 100 states.');
  });

  it('accepts a format without a type, and a neutral one', async () => {
    const typeless = { response_format: { json_schema: { schema: SCHEMA } }, temperature: 0 };
    expect(fits(JSON.parse(textOf(await gateway.answer(typeless))))).toBe(true);
    expect(textOf(await gateway.answer({ response_format: { type: 'text' }, temperature: 0 }))).toBe('cat');
  });

  it('calls a named tool, and ends with stop', async () => {
    const asked = {
      messages: said('hello'),
      tools: [TIMER, WEATHER],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    };
    for (const seed of [1, 2, 3, 4]) {
      const [choice] = (await gateway.answer({ ...asked, seed, temperature: 1.3 })).choices;
      expect(choice!.finish_reason).toBe('stop');
      expect(choice!.message.content).toBeNull();
      expect(choice!.message.tool_calls).toEqual([
        {
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          type: 'function',
          function: { name: 'get_weather', arguments: expect.any(String) },
        },
      ]);
      const sent = JSON.parse(choice!.message.tool_calls![0]!.function.arguments);
      expect(sent).toEqual({ city: expect.any(String), days: expect.any(Number) });
      expect(sent.days).toBeLessThanOrEqual(7);
    }
  });

  it('calls a tool when a call is required, and ends with tool_calls', async () => {
    const asked = { messages: said('hello'), tools: [TIMER, WEATHER], tool_choice: 'required', temperature: 1.3 };
    for (const parallel_tool_calls of [true, false]) {
      const { message, finish_reason } = (await gateway.answer({ ...asked, seed: 3, parallel_tool_calls })).choices[0]!;
      expect(finish_reason).toBe('tool_calls');
      if (!parallel_tool_calls) expect(message.tool_calls).toHaveLength(1);
      for (const call of message.tool_calls!) {
        expect(['get_weather', 'set_timer']).toContain(call.function.name);
        expect(JSON.parse(call.function.arguments)).toBeInstanceOf(Object);
      }
    }
  });

  it('streams a call in pieces', async () => {
    const asked = { messages: said('hello'), tools: [WEATHER], tool_choice: 'required', seed: 9, temperature: 1 };
    const [call] = (await gateway.answer(asked)).choices[0]!.message.tool_calls!;
    const chunks = await gateway.chunks(asked);
    const pieces = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(pieces[0]).toMatchObject({ index: 0, type: 'function', function: { name: 'get_weather' } });
    expect(pieces.filter(({ id }) => id !== undefined)).toHaveLength(1);
    expect(pieces.map((piece) => piece.function?.arguments ?? '').join('')).toBe(call!.function.arguments);
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('tool_calls');
  });

  it('calls no tool with tool_choice none', async () => {
    const weather = { messages: said('What is the weather in Paris?'), tools: [WEATHER], temperature: 0 };
    const { message } = (await gateway.answer({ ...weather, tool_choice: 'none' })).choices[0]!;
    expect(message.tool_calls).toBeUndefined();
    expect(typeof message.content).toBe('string');
  });
});
