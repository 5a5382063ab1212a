import OpenAI from 'openai';

import { CompletionServer } from '../completion-server.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

describe('completions, by the client openai', () => {
  const server = new CompletionServer();
  let gateway: GatewayApp;
  let client: OpenAI;
  beforeAll(async () => {
    const upstream = { kind: 'openai-compatible', base_url: await server.start() };
    gateway = await startGatewayApp({
      upstreams: [
        { name: 'speaks', ...upstream, speaks: ['completions'], models: [{ name: 'reverser' }] },
        { name: 'chats', ...upstream, models: [{ name: 'chatter' }] },
      ],
    });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await server.stop();
  });
  beforeEach(() => (server.requests.length = 0));

  /** As the chat template of hone-tiny writes it. */
  const PROMPT = '<|bos|><|user|>repeat: cat<|end|><|assistant|>';
  const tiny = { model: 'hone-tiny', temperature: 0 };

  it('continue a prompt as it stands', async () => {
    const { id, object, choices, usage } = await client.completions.create({ ...tiny, prompt: PROMPT });
    expect([id.slice(0, 5), object, choices[0]?.finish_reason]).toEqual(['cmpl-', 'text_completion', 'stop']);
    expect(choices[0]?.text).toBe('cat');
    expect(usage?.total_tokens).toBeGreaterThan(3);
  });

  it('stream', async () => {
    let text = '';
    const reasons: unknown[] = [];
    const asked = { ...tiny, prompt: PROMPT, stream: true, stream_options: { include_usage: true } } as const;
    for await (const { choices, usage } of await client.completions.create(asked)) {
      text += choices[0]?.text ?? '';
      reasons.push(choices[0]?.finish_reason ?? usage?.completion_tokens ?? null);
    }
    expect(text).toBe('cat');
    expect(reasons.slice(-2)).toEqual(['stop', expect.any(Number)]);
  });

  it('generate 16 tokens at most, unless asked for more', async () => {
    const { usage } = await client.completions.create({ ...tiny, prompt: 'a', seed: 1, ...{ ignore_eos: true } });
    expect(usage?.completion_tokens).toBe(16);
  });

  it('begin with the prompt, whose tokens have log-probabilities too', async () => {
    const asked = { ...tiny, prompt: PROMPT, echo: true, logprobs: 1, max_tokens: 1 };
    const { choices } = await client.completions.create(asked);
    const { text, logprobs } = choices[0]!;
    const { tokens, token_logprobs: own, top_logprobs: top, text_offset: offsets } = logprobs!;
    expect(text.startsWith(PROMPT)).toBe(true);
    expect(tokens!.join('')).toBe(text);
    expect([own!.length, top!.length, offsets!.length]).toEqual([tokens!.length, tokens!.length, tokens!.length]);
    expect(own!.map((value) => value === null)).toEqual(tokens!.map((_token, at) => at === 0));
    expect(offsets).toEqual(tokens!.map((_token, at) => tokens!.slice(0, at).join('').length));
    const shown = tokens!.slice(1).map((token, at) => top![at + 1]![token] === own![at + 1]);
    expect(shown).not.toContain(false);
  });

  it('are the same for token ids, and score a prompt alone', async () => {
    const { choices } = await client.completions.create({
      ...tiny,
      prompt: PROMPT,
      echo: true,
      logprobs: 0,
      max_tokens: 0,
    });
    expect([choices[0]!.text, choices[0]!.finish_reason]).toEqual([PROMPT, 'length']);
    const read = await client.chat.completions.create({
      ...tiny,
      messages: [{ role: 'user', content: 'repeat: cat' }],
      ...{ return_token_ids: true },
    });
    const { prompt_token_ids: ids } = read as unknown as { prompt_token_ids: number[] };
    const answer = await client.completions.create({ ...tiny, prompt: ids });
    expect(answer.choices[0]!.text).toBe('cat');
  });

  it('answer several prompts, n times each, in order', async () => {
    const prompt = [PROMPT, PROMPT.replace('cat', 'dog')];
    const { choices, usage } = await client.completions.create({ ...tiny, prompt, n: 2 });
    expect(choices.map(({ index, text }) => [index, text])).toEqual([
      [0, 'cat'],
      [1, 'cat'],
      [2, 'dog'],
      [3, 'dog'],
    ]);
    expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
  });

  it('of an upstream that speaks them are its own', async () => {
    const { id, choices } = await client.completions.create({ model: 'reverser', prompt: ['abc', 'de'], echo: true });
    expect([id.slice(0, 5), choices.map(({ text }) => text)]).toEqual(['cmpl-', ['cba', 'ed']]);
    let text = '';
    for await (const chunk of await client.completions.create({ model: 'reverser', prompt: 'abc', stream: true })) {
      text += chunk.choices[0]?.text ?? '';
    }
    expect(text).toBe('cba');
    expect(server.requests.map(({ path, prompt }) => [path, prompt])).toEqual([
      ['/v1/completions', ['abc', 'de']],
      ['/v1/completions', 'abc'],
    ]);
  });

  it('are not to be had of an upstream that only chats', async () => {
    const asked = client.completions.create({ model: 'chatter', prompt: 'a' });
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  });

  it.each([
    [{ suffix: 'x' }, 'suffix'],
    [{ best_of: 3 }, 'best_of'],
    [{ prompt: ['a', 'b'], stream: true }, 'prompt'],
    [{ prompt: [1, 2], stream: true, echo: true }, 'echo'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: [[1], []] }, 'prompt.1'],
    [{ prompt: [99_999_999] }, 'prompt'],
    [{ prompt: '' }, 'prompt'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ logprobs: 21 }, 'logprobs'],
    [{ prompt: Array.from({ length: 129 }, () => 'a') }, 'prompt'],
  ])('refuse %j by the name of the field', async (changes, param) => {
    const asked = client.completions.create({ ...tiny, prompt: 'a', ...changes } as never);
    await expect(asked).rejects.toMatchObject({ status: 422, param });
  });
});
