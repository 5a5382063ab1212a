import { type ContractApp, said, startContractApp, textOf } from './contract.fixture.js';

describe('sampling of a chat completion', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  /** 200 answers without a seed were all different; to "hello", which the model was trained on, two of three are the same. */
  const LOOSE = { messages: said('Tell me a story.'), temperature: 2, max_tokens: 8, ignore_eos: true };
  const idsOf = async (fields: object) =>
    (await gateway.answer({ ...fields, return_token_ids: true })).choices.map((choice) => choice.token_ids!);

  it('ends at the token limit', async () => {
    const one = await gateway.answer({ messages: said('repeat: banana'), max_tokens: 1, temperature: 0 });
    expect(one.choices[0]).toMatchObject({ finish_reason: 'length' });
    expect(one.usage.completion_tokens).toBe(1);
    const both = { max_tokens: 9, max_completion_tokens: 2 };
    const two = await gateway.answer({ messages: said('repeat: banana'), temperature: 0, ...both });
    expect(two.usage.completion_tokens).toBe(2);
    const more = await gateway.answer({
      messages: said('repeat: banana'),
      max_tokens: 1,
      max_completion_tokens: 3,
      ignore_eos: true,
    });
    expect(more.usage.completion_tokens).toBe(3);
  });

  it('is cut to the context length, and refused when the prompt is too long', async () => {
    const long = await gateway.answer({ max_tokens: 9_000_000, temperature: 0 });
    expect(long.choices[0]!.finish_reason).toBe('stop');
    const { status, headers, json } = await gateway.ask({ messages: said('cat '.repeat(2_000)) });
    expect([status, headers['x-should-retry'], json().error.code]).toEqual([400, 'false', 'context_length_exceeded']);
  });

  it('does not end before min_tokens', async () => {
    const [ids] = await idsOf({ temperature: 0 });
    const stops = [{ stop: 'cat' }, { stop_token_ids: [ids![1]] }, {}];
    for (const stop of stops) {
      const fields = { temperature: 0, min_tokens: 12, max_tokens: 12, ...stop };
      const { usage, choices } = await gateway.answer(fields);
      expect([usage.completion_tokens, choices[0]!.finish_reason]).toEqual([12, 'length']);
    }
    const stopped = await gateway.answer({ temperature: 0, stop_token_ids: [ids![1]] });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: ids![1] });
  });

  it('is deterministic with a seed only', async () => {
    const drawn = async (fields: object) => JSON.stringify(await idsOf({ ...LOOSE, ...fields }));
    expect(await drawn({ seed: 0 })).toBe(await drawn({ seed: 0 }));
    expect(await drawn({ seed: -(2 ** 62) })).toBe(await drawn({ seed: -(2 ** 62) }));
    for (const free of [{}, { seed: -1 }]) {
      const several = await Promise.all(Array.from({ length: 16 }, () => drawn(free)));
      expect(new Set(several).size).toBeGreaterThan(1);
    }
    const [first, second] = await idsOf({ ...LOOSE, seed: 5, n: 2 });
    expect([[first], [second]].map((ids) => JSON.stringify(ids))).toEqual([
      await drawn({ seed: 5 }),
      await drawn({ seed: 6 }),
    ]);
    const greedy = await gateway.answer({ temperature: 0, n: 3 });
    expect(greedy.choices.map((choice) => choice.message.content)).toEqual(['cat', 'cat', 'cat']);
  });

  it('returns log-probabilities of the prompt on request', async () => {
    const fields = { prompt_logprobs: 3, return_token_ids: true, max_tokens: 1 };
    const { prompt_logprobs: reported, prompt_token_ids: ids } = await gateway.answer(fields);
    expect(reported).toHaveLength(ids!.length);
    expect(reported![0]).toBeNull();
    for (const [index, token] of reported!.slice(1).entries()) {
      const own = token![ids![index + 1]!]!;
      expect(own).toEqual({ logprob: expect.any(Number), rank: expect.any(Number), decoded_token: expect.any(String) });
      expect(own.logprob).toBeGreaterThanOrEqual(-9_999);
      expect(Object.keys(token!).length).toBeLessThanOrEqual(4);
    }
    expect((await gateway.answer({ prompt_logprobs: 0, max_tokens: 1 })).prompt_logprobs).toHaveLength(ids!.length);
  });

  it('contains allowed tokens only', async () => {
    const [ids] = await idsOf({ temperature: 0 });
    const only = ids![0]!;
    for (const temperature of [0, 2]) {
      expect(await idsOf({ ...LOOSE, temperature, allowed_token_ids: [only] })).toEqual([Array(8).fill(only)]);
    }
  });

  it('never completes a bad word, in 200 runs', async () => {
    const bad_words = ['a', 'hello', 'Hi', 'o w'];
    const batches = Array.from({ length: 25 }, (_, batch) =>
      gateway.answer({ ...LOOSE, temperature: 1.5, max_tokens: 16, n: 8, seed: batch * 8, bad_words }),
    );
    const texts = (await Promise.all(batches)).flatMap(({ choices }) => choices.map(({ message }) => message.content!));
    expect(texts).toHaveLength(200);
    expect(texts.filter((text) => bad_words.some((word) => text.includes(word)))).toEqual([]);
    expect(new Set(texts).size).toBeGreaterThan(20);
  });

  it('applies logit_bias: never at -100, always at 100', async () => {
    const [ids] = await idsOf({ temperature: 0 });
    const first = ids![0]!;
    const avoided = await idsOf({ ...LOOSE, temperature: 1, n: 32, seed: 1, logit_bias: { [first]: -100 } });
    expect(avoided.flat()).not.toContain(first);
    const forced = await idsOf({ ...LOOSE, messages: said('repeat: cat'), logit_bias: { [first]: 100 } });
    expect(forced).toEqual([Array(8).fill(first)]);
  });

  it('keeps the last truncate_prompt_tokens of the prompt', async () => {
    const fields = { max_tokens: 1, return_token_ids: true };
    const { prompt_token_ids: whole } = await gateway.answer(fields);
    expect((await gateway.answer({ ...fields, truncate_prompt_tokens: 8 })).prompt_token_ids).toEqual(whole!.slice(-8));
    for (const endless of ['4611686018427388000', '9223372036854775807', '-1', '1024']) {
      const body = JSON.stringify({ model: 'hone-tiny', messages: said('repeat: cat'), ...fields });
      const sent = body.replace('{', `{"truncate_prompt_tokens":${endless},`);
      expect((await gateway.caller.post('/v1/chat/completions', sent)).json().prompt_token_ids).toEqual(whole);
    }
  });

  it('continues the last message, and echoes it on request', async () => {
    const messages = [...said('repeat: cat'), { role: 'assistant', content: 'c' }];
    const fields = { messages, continue_final_message: true, add_generation_prompt: false, temperature: 0 };
    expect(textOf(await gateway.answer(fields))).toBe('at');
    const echoed = await gateway.answer({ ...fields, echo: true });
    expect(textOf(echoed)).toBe('cat');
    expect(echoed.usage).toEqual((await gateway.answer(fields)).usage);
  });

  it('ends a repetitive choice', async () => {
    const [ids] = await idsOf({ temperature: 0 });
    const repetition_detection = { max_pattern_size: 2, min_pattern_size: 1, min_count: 4 };
    const { choices } = await gateway.answer({ max_tokens: 40, allowed_token_ids: [ids![0]], repetition_detection });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: 'repetition_detected' });
  });
});
