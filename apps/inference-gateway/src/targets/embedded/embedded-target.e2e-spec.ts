import { ask, joined, ofWhole, said, stream, useBundledTarget } from './embedded.fixture.js';

describe('EmbeddedTarget', () => {
  const target = useBundledTarget();

  it('answers with the whole body of a completion', async () => {
    const body = await ask(target(), { temperature: 0 });
    expect(body).toEqual({
      id: 'chatcmpl-r-1',
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'hone-tiny',
      system_fingerprint: expect.stringMatching(/^fp_[0-9a-f]{12}$/),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'cat', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 3,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 0 },
      },
    });
  });

  it('streams role, content and finish in separate frames', async () => {
    const chunks = await stream(target(), { temperature: 0 });
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      ...['c', 'at'].map((content) => [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }]),
      [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
    ]);
  });

  it('gives the same answer streamed or not, and another for another seed', async () => {
    const fields = { messages: said('hello there'), seed: 5, logprobs: true, top_logprobs: 2, return_token_ids: true };
    const whole = await ask(target(), fields);
    expect(joined(await stream(target(), fields))).toEqual(ofWhole(whole.choices[0]!));
    const texts = await Promise.all(
      Array.from({ length: 32 }, (_, index) => index).map(
        async (seed) => (await ask(target(), { ...fields, seed, temperature: 2 })).choices[0]!.message.content,
      ),
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });
});
