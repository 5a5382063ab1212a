import { aChatRequest, ask, dispatch, said, useBundledTarget } from './embedded.fixture.js';

describe('EmbeddedTarget: sampling', () => {
  const target = useBundledTarget();
  const contents = async (fields: object) =>
    (await ask(target(), { messages: said('hello'), temperature: 2, max_tokens: 12, ...fields })).choices.map(
      ({ message }) => message.content,
    );
  /** Ids of a text that the model wrote. */
  const idsOf = async (fields: object) =>
    (await ask(target(), { ...fields, return_token_ids: true })).choices[0]!.token_ids as number[];

  it('is deterministic with a seed, also 0, and random without one', async () => {
    expect(await contents({ seed: 0 })).toEqual(await contents({ seed: 0 }));
    expect(await contents({ seed: 7 })).toEqual(await contents({ seed: 7 }));
    // Many at once: one answer that the model is sure of would often be drawn twice.
    const many = (fields: object) => contents({ ...fields, n: 32 });
    expect(await many({})).not.toEqual(await many({}));
    expect(await many({ seed: -1 })).not.toEqual(await many({ seed: -1 }));
  });

  it('gives choice i the seed + i', async () => {
    const alone = await Promise.all([11, 12, 13].map((seed) => contents({ seed })));
    expect(await contents({ seed: 11, n: 3 })).toEqual(alone.flat());
  });

  it('gives equal choices with temperature 0', async () => {
    expect(await contents({ temperature: 0, n: 2, messages: said('repeat: cat') })).toEqual(['cat', 'cat']);
  });

  it('writes allowed tokens only', async () => {
    const [id] = await idsOf({ temperature: 0, max_tokens: 1 });
    expect(await idsOf({ allowed_token_ids: [id], max_tokens: 4 })).toEqual([id, id, id, id]);
  });

  it('never writes a bad word', async () => {
    const runs = await contents({ messages: said('repeat: cat'), temperature: 0.7, n: 50, bad_words: ['cat', 'at'] });
    expect(runs.filter((text) => /at/.test(text!))).toEqual([]);
  });

  it('bans a token by a bias of -100 and forces one by +100', async () => {
    const [first] = await idsOf({ temperature: 0, max_tokens: 1 });
    expect((await idsOf({ temperature: 0, max_tokens: 1, logit_bias: { [first!]: -100 } }))[0]).not.toBe(first);
    expect(await idsOf({ temperature: 0, max_tokens: 2, logit_bias: { 100: 100 } })).toEqual([100, 100]);
  });

  it('keeps the last tokens of the prompt', async () => {
    const prompt = async (kept: number | undefined) =>
      (await ask(target(), { max_tokens: 1, return_token_ids: true, truncate_prompt_tokens: kept })).prompt_token_ids!;
    const whole = await prompt(undefined);
    expect(await prompt(8)).toEqual(whole.slice(-8));
    expect(await prompt(4_611_686_018_427_388_000)).toEqual(whole);
    expect(await prompt(2 ** 63)).toEqual(whole);
  });

  it('leaves room for the answer when a long prompt is cut to the context', async () => {
    const fields = { messages: said('cat '.repeat(2_000)), truncate_prompt_tokens: -1, max_tokens: 5 };
    const { usage } = await ask(target(), fields);
    expect(usage.prompt_tokens).toBe(1024 - 5);
  });

  it('does not share the prefix cache across salts', async () => {
    const messages = said('which colour has the sky on a clear day in summer, please?');
    const cached = async (cache_salt?: string) =>
      (await ask(target(), { messages, max_tokens: 1, cache_salt })).usage.prompt_tokens_details;
    await cached('a');
    expect(await cached('a')).not.toEqual({ cached_tokens: 0 });
    expect(await cached('b')).toEqual({ cached_tokens: 0 });
  });

  it('reports the usage of an aborted request, and sends nothing more', async () => {
    const request = aChatRequest({ messages: said('hello'), ignore_eos: true, stream: true });
    const { run, reader } = dispatch(target(), request);
    await reader.whenFrames(5);
    run.abort();
    const { promptTokens, completionTokens } = run.produced();
    const { usage } = await ask(target(), { messages: said('hello'), max_tokens: 1 });
    expect(promptTokens).toBe(usage.prompt_tokens);
    expect(completionTokens).toBeGreaterThan(0);
    const { length } = reader.frames;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([reader.frames.length, reader.answer, reader.failure]).toEqual([length, null, null]);
  });
});
