import {
  ask,
  type ChoiceJson,
  type ChunkJson,
  type Fields,
  joined,
  ofWhole,
  said,
  stream,
  TIMER,
  useBundledTarget,
  WEATHER,
} from './embedded.fixture.js';

const PARIS = { messages: said('What is the weather in Paris?'), tools: [WEATHER, TIMER], temperature: 0 };
const HELLO = { ...PARIS, messages: said('hello') };
const CALLED = { name: 'get_weather', arguments: '{"city":"Paris"}' };

describe('EmbeddedTarget: tools', () => {
  const target = useBundledTarget();
  const choice = async (fields: Fields) => (await ask(target(), fields)).choices[0]!;
  const argumentsOf = ({ message }: ChoiceJson) =>
    (message.tool_calls ?? []).map((call) => [call.function.name, JSON.parse(call.function.arguments)] as const);
  const isValid = ([name, args]: readonly [string, Record<string, unknown>]) =>
    name === 'get_weather'
      ? typeof args['city'] === 'string'
      : name === 'set_timer' && Number.isInteger(args['minutes']);

  it('calls a tool when the model begins a call', async () => {
    expect(await choice(PARIS)).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [{ id: expect.stringMatching(/^call_[0-9a-f]{24}$/), type: 'function', function: CALLED }],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    });
  });

  it('answers in text when the model begins no call', async () => {
    const { message, finish_reason } = await choice(HELLO);
    expect([message.tool_calls, finish_reason]).toEqual([undefined, 'stop']);
    expect(message.content).not.toBe('');
  });

  it('continues with a tool result', async () => {
    const { message } = await choice(PARIS);
    const [call] = message.tool_calls!;
    const messages = [...PARIS.messages, message, { role: 'tool', tool_call_id: call!.id, content: 'rainy' }];
    const next = await choice({ ...PARIS, messages } as Fields);
    expect(next.message.content).toContain('rainy');
  });

  it('streams a call: no text, its name, then its arguments in parts', async () => {
    const chunks = await stream(target(), PARIS);
    const [first, opener, ...others] = chunks.flatMap(({ choices }) => choices);
    expect(first).toMatchObject({ delta: { role: 'assistant', content: null }, finish_reason: null });
    const named = { name: 'get_weather', arguments: '' };
    const id = expect.stringMatching(/^call_[0-9a-f]{24}$/);
    expect(opener?.delta).toEqual({ tool_calls: [{ index: 0, id, type: 'function', function: named }] });
    expect(others.pop()).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    const parts = others.map(({ delta }) => delta.tool_calls?.[0]);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part).toEqual({ index: 0, function: { arguments: expect.stringMatching(/./) } });
    expect(parts.map((part) => part?.function?.arguments).join('')).toBe('{"city":"Paris"}');
  });

  it('streams text that comes before a call, or without one, after an empty text', async () => {
    const [{ choices }] = (await stream(target(), HELLO)) as [ChunkJson];
    expect(choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
  });

  it('counts the usage in each frame of a call from nothing on', async () => {
    const stream_options = { include_usage: true, continuous_usage_stats: true };
    const counts = (await stream(target(), { ...PARIS, stream_options })).map(({ usage }) => usage!.completion_tokens);
    expect(counts[0]).toBe(0);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
  });

  it('ends the parts of a call that the token limit cuts off with the reason', async () => {
    const chunks = await stream(target(), { ...PARIS, max_tokens: 14 });
    const { calls, finish_reason } = joined(chunks);
    expect(finish_reason).toBe('length');
    expect('{"city":"Paris"}'.startsWith(calls[0]?.arguments ?? 'none')).toBe(true);
  });

  it.each<[string, Fields]>([
    ['auto', PARIS],
    ['auto, in text', HELLO],
    ['required', { ...HELLO, tool_choice: 'required' }],
    ['named', { ...HELLO, tool_choice: { type: 'function', function: { name: 'set_timer' } } }],
    ['drawn', { ...PARIS, temperature: 1.5, seed: 8, tool_choice: 'required' }],
  ])('streams the same answer, with all tokens: %s', async (_, fields) => {
    const asked = { ...fields, logprobs: true, top_logprobs: 1, return_token_ids: true };
    const body = await ask(target(), asked);
    const whole = ofWhole(body.choices[0]!);
    expect(joined(await stream(target(), asked))).toEqual(whole);
    expect(whole.logprobs).toHaveLength(whole.ids.length);
    expect(body.usage.completion_tokens).toBe(whole.ids.length);
  });

  it('returns the tokens of a call as the model writes it', async () => {
    const { token_ids: ids } = await choice({ ...PARIS, return_token_ids: true });
    const messages = [
      ...PARIS.messages,
      { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: CALLED }] },
    ];
    const body = await ask(target(), {
      tools: PARIS.tools,
      messages,
      return_token_ids: true,
      max_tokens: 1,
      add_generation_prompt: false,
    } as Fields);
    expect(body.prompt_token_ids!.slice(-ids!.length)).toEqual(ids);
  });

  it('calls at least one tool when it must, with valid arguments', async () => {
    const { choices } = await ask(target(), { ...HELLO, tool_choice: 'required', temperature: 1.2, seed: 2, n: 12 });
    for (const one of choices) {
      const calls = argumentsOf(one);
      if (one.finish_reason === 'tool_calls') expect(calls.length).toBeGreaterThan(0);
      expect(calls.filter((call) => !isValid(call))).toEqual([]);
    }
    expect(choices.filter(({ finish_reason: reason }) => reason === 'tool_calls').length).toBeGreaterThan(6);
  });

  it('calls a named tool once, and stops', async () => {
    const tool_choice = { type: 'function' as const, function: { name: 'set_timer' } };
    const { choices } = await ask(target(), { ...PARIS, tool_choice, temperature: 1, seed: 3, n: 8 });
    for (const one of choices) {
      expect(one.finish_reason).toBe('stop');
      expect(argumentsOf(one)).toEqual([['set_timer', { minutes: expect.any(Number) }]]);
    }
  });

  const allow = (mode: 'auto' | 'required', ...names: string[]) => ({
    type: 'allowed_tools' as const,
    allowed_tools: { mode, tools: names.map((name) => ({ function: { name } })) },
  });

  it('calls only tools that are allowed', async () => {
    const required = allow('required', 'set_timer');
    const { choices } = await ask(target(), { ...PARIS, tool_choice: required, temperature: 1, seed: 3, n: 8 });
    for (const one of choices) expect(argumentsOf(one).map(([name]) => name)).not.toContain('get_weather');
    expect(choices.filter((one) => argumentsOf(one).length > 0).length).toBeGreaterThan(4);
    expect(await choice({ ...PARIS, tool_choice: allow('auto', 'get_weather') })).toMatchObject({
      message: { tool_calls: [{ function: CALLED }] },
      finish_reason: 'tool_calls',
    });
    expect((await choice({ ...HELLO, tool_choice: allow('auto', 'set_timer') })).message.tool_calls).toBeUndefined();
  });

  describe('in the older notation', () => {
    const { tools, ...paris } = PARIS;
    const functions = tools.map((tool) => tool.function);
    const older = { ...paris, functions };

    it('answers with a function_call', async () => {
      const { message, finish_reason } = await choice(older);
      expect(message).toEqual({ role: 'assistant', content: null, refusal: null, function_call: CALLED });
      expect(finish_reason).toBe('function_call');
    });

    it('streams a function_call', async () => {
      const parts = (await stream(target(), older)).flatMap(({ choices }) => choices);
      const deltas = parts.map(({ delta }) => delta as { function_call?: { name?: string; arguments: string } });
      expect(deltas[0]).toEqual({ role: 'assistant', content: null });
      expect(deltas[1]).toEqual({ function_call: { name: 'get_weather', arguments: '' } });
      expect(deltas.map(({ function_call: call }) => call?.arguments ?? '').join('')).toBe(CALLED.arguments);
      expect(parts.at(-1)?.finish_reason).toBe('function_call');
    });

    it('calls the named function, or none', async () => {
      const named = await choice({ ...older, function_call: { name: 'set_timer' } });
      expect(named).toMatchObject({ message: { function_call: { name: 'set_timer' } }, finish_reason: 'stop' });
      expect((await choice({ ...older, function_call: 'none' })).message).not.toHaveProperty('function_call');
    });

    it('reads the conversation as the newer notation', async () => {
      const called = { role: 'assistant', content: null };
      const olderTurns = [
        { ...called, function_call: CALLED },
        { role: 'function', name: 'get_weather', content: 'rainy' },
      ];
      const newerTurns = [
        { ...called, tool_calls: [{ id: 'a', type: 'function', function: CALLED }] },
        { role: 'tool', tool_call_id: 'a', content: 'rainy' },
      ];
      const promptOf = async (turns: object[], fields: object) => {
        const messages = [...paris.messages, ...turns];
        const asked = { messages, ...fields, return_token_ids: true, max_tokens: 1 } as Fields;
        return (await ask(target(), asked)).prompt_token_ids;
      };
      expect(await promptOf(olderTurns, { functions })).toEqual(await promptOf(newerTurns, { tools }));
    });
  });

  it('takes an empty list of tools for none', async () => {
    expect((await choice({ ...PARIS, tools: [] })).message.tool_calls).toBeUndefined();
  });

  it('calls several tools, or one without parallel_tool_calls', async () => {
    // The marker of a call is likelier than the end: another call follows as long as there is room.
    const fields = { ...PARIS, tool_choice: 'required' as const, logit_bias: { 8: -100 }, max_tokens: 60 };
    const many = await choice(fields);
    expect(argumentsOf(many).length).toBeGreaterThan(1);
    expect(new Set(many.message.tool_calls!.map(({ id }) => id)).size).toBe(many.message.tool_calls!.length);
    const { calls } = ofWhole(many);
    // A stream also has the beginning of the call that was cut off.
    expect(joined(await stream(target(), fields)).calls.slice(0, calls.length)).toEqual(calls);
    expect(argumentsOf(await choice({ ...fields, parallel_tool_calls: false }))).toHaveLength(1);
  });

  it('drops an incomplete call', async () => {
    const cut = await choice({ ...PARIS, max_tokens: 8, return_token_ids: true });
    expect(cut).toMatchObject({ message: { content: '' }, finish_reason: 'length' });
    expect(cut.message.tool_calls).toBeUndefined();
    expect(cut.token_ids).toHaveLength(8);
  });

  it('calls no tool with tool_choice none', async () => {
    const { message, finish_reason } = await choice({ ...PARIS, tool_choice: 'none' });
    expect([message.tool_calls, finish_reason]).toEqual([undefined, 'stop']);
  });

  it('constrains text and still allows calls', async () => {
    const response_format = { type: 'json_object' as const };
    expect(await choice({ ...PARIS, response_format })).toMatchObject({ finish_reason: 'tool_calls' });
    const { message } = await choice({ ...HELLO, response_format, max_tokens: 200 });
    expect(JSON.parse(message.content!)).toEqual(expect.any(Object));
  });

  it('does not apply stop strings to calls', async () => {
    expect(await choice({ ...PARIS, stop: ['"'] })).toMatchObject({ finish_reason: 'tool_calls' });
  });

  it('stops at the call marker when it is a stop string', async () => {
    const end = await choice({ ...PARIS, stop_token_ids: [7] });
    expect(end).toMatchObject({ finish_reason: 'stop', stop_reason: 7, message: { content: '' } });
  });

  it('follows references within the schema of a tool', async () => {
    const parameters = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' } },
      required: ['at'],
      $defs: { place: { enum: ['here', 'there'] } },
    };
    const tools = [WEATHER, { type: 'function' as const, function: { name: 'go', parameters } }];
    const named = await choice({ ...PARIS, tools, tool_choice: { function: { name: 'go' } } });
    expect(['here', 'there']).toContain(argumentsOf(named)[0]![1]['at']);
  });

  it('calls a tool without a schema with an object', async () => {
    const tools = [{ function: { name: 'ping' } }];
    const { message } = await choice({ ...PARIS, tools, tool_choice: 'required', max_tokens: 300 });
    expect(JSON.parse(message.tool_calls![0]!.function.arguments)).toEqual(expect.any(Object));
  });
});
