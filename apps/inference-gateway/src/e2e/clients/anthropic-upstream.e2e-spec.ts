import { FakeUpstream } from '@hone/testing/fakes';
import OpenAI from 'openai';

import { fakeUpstream } from '../faults/fake-upstreams.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

const TEXT = 'n0 n1 n2 n3 n4 n5 n6 n7';
const PIXEL = 'iVBORw0KGgo=';

describe('an upstream that speaks only messages, by the client openai', () => {
  let fake: FakeUpstream;
  let gateway: GatewayApp;
  let client: OpenAI;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'n', key: 'upstream-key' });
    process.env.ANTHROPIC_TEST_KEY = 'upstream-key';
    const models = [
      'ok',
      'ok+reasoning',
      'ok+tool-call',
      'status@529',
      'rate-limit+retry-after@7',
      'cut@3',
      'ok+no-usage',
    ];
    const more = { dialect: 'anthropic', key_env: 'ANTHROPIC_TEST_KEY', token_frames: false, retries: 0 };
    gateway = await startGatewayApp({ upstreams: [fakeUpstream(fake, 'anthropic', models, more)] });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
    delete process.env.ANTHROPIC_TEST_KEY;
  });
  beforeEach(() => fake.forget());

  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'hi' },
  ];
  const usage = { prompt_tokens: 9, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 4 } };
  const tool = {
    type: 'function' as const,
    function: { name: 'fake', parameters: { type: 'object', properties: { said: { type: 'string' } } } },
  };

  it('is asked in its form, with its key and version', async () => {
    const given = await client.chat.completions.create({ model: 'ok', messages, max_completion_tokens: 50, stop: 'x' });
    expect(given).toMatchObject({ id: `chatcmpl-${given._request_id}`, object: 'chat.completion', model: 'ok', usage });
    expect(given.choices).toMatchObject([
      { index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' },
    ]);
    expect(fake.lastJson()).toEqual({
      model: 'ok',
      max_tokens: 50,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stop_sequences: ['x'],
    });
    const [{ path, headers } = { path: '', headers: {} }] = fake.requests;
    expect(path).toBe('/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': 'upstream-key', 'anthropic-version': '2023-06-01' });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('streams chunks', async () => {
    const stream_options = { include_usage: true };
    const stream = await client.chat.completions.create({ model: 'ok', messages, stream: true, stream_options });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(TEXT);
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop']);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  });

  it('calls tools, and gets what they gave', async () => {
    const asked = { model: 'ok+tool-call', messages, tools: [tool], tool_choice: 'required' as const };
    const runner = client.chat.completions.stream({ ...asked, parallel_tool_calls: false });
    const { choices } = await runner.finalChatCompletion();
    const { message } = choices[0]!;
    expect(choices).toMatchObject([{ finish_reason: 'tool_calls' }]);
    expect(message.tool_calls).toMatchObject([
      { id: 'toolu_0', function: { arguments: JSON.stringify({ said: TEXT }) } },
    ]);
    expect(fake.lastJson()).toMatchObject({
      tools: [{ name: 'fake', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    const result = { role: 'tool' as const, tool_call_id: 'toolu_0', content: 'done' };
    await client.chat.completions.create({ model: 'ok', messages: [...messages, message, result], tools: [tool] });
    expect(fake.lastJson().messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_0', name: 'fake', input: { said: TEXT } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: [{ type: 'text', text: 'done' }] }],
      },
    ]);
  });

  it('shows images', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ];
    await client.chat.completions.create({ model: 'ok', messages: [{ role: 'user', content }] });
    expect(fake.lastJson().messages).toMatchObject([
      {
        content: [
          { type: 'text' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      },
    ]);
  });

  it('thinks, and its thinking goes back signed', async () => {
    const asked = { model: 'ok+reasoning', messages, reasoning_effort: 'high' as const };
    const { choices } = await client.chat.completions.create(asked);
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 'c2lnbmVk', index: 0 }];
    expect(choices[0]?.message).toMatchObject({ content: TEXT, reasoning: 'hm', reasoning_details: details });
    expect(fake.lastJson()).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    await client.chat.completions.create({ ...asked, messages: [...messages, choices[0]!.message, messages[1]!] });
    const [, answer] = fake.lastJson().messages as { content: object[] }[];
    expect(answer?.content[0]).toEqual({ type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' });
  });

  it('reports its faults as any upstream does', async () => {
    const ask = (model: string) => client.chat.completions.create({ model, messages });
    await expect(ask('status@529')).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    const limited = await ask('rate-limit+retry-after@7').catch(
      (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
    );
    expect(limited).toMatchObject({ status: 429, code: 'upstream_rate_limited' });
    const read = async () => {
      for await (const _ of await client.chat.completions.create({ model: 'cut@3', messages, stream: true }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'stream_interrupted' });
  });

  it.each([
    [{ n: 2 }, 'n'],
    [{ seed: 1 }, 'seed'],
    [{ logprobs: true }, 'logprobs'],
    [{ response_format: { type: 'json_object' as const } }, 'response_format'],
    [{ tools: [{ type: 'custom' as const, custom: { name: 'x' } }] }, 'tools'],
  ])('refuses by its name what it has no field for: %j', async (fields, param) => {
    await expect(client.chat.completions.create({ model: 'ok', messages, ...fields })).rejects.toMatchObject({
      status: 422,
      param,
    });
    expect(fake.count()).toBe(0);
  });

  it('answers responses too', async () => {
    const given = await client.responses.create({ model: 'ok', input: 'hi', instructions: 'Be brief.' });
    expect([given.output_text, given.usage?.total_tokens]).toEqual([TEXT, 18]);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/messages']);
  });
});
