import { joined, ofWhole } from '../../targets/embedded/embedded.fixture.js';
import { type ContractApp, said, startContractApp, textOf } from './contract.fixture.js';

describe('a streamed chat completion', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  const BANANA = { structured_outputs: { choice: ['banana'] } };
  const COUNT = { messages: said('count up from 1 to 9'), temperature: 0 };

  it.each<[string, object]>([
    ['inside a token', { ...BANANA, stop: 'an' }],
    ['across tokens', { ...BANANA, stop: ['zzz', 'anan'] }],
    ['at the first character', { messages: said('repeat: cat'), stop: ['c'] }],
    ['at the last character', { messages: said('repeat: cat'), stop: ['t'] }],
    ['in a list of digits', { ...COUNT, stop: ['3'] }],
    ['kept in the text', { ...BANANA, stop: ['nan'], include_stop_str_in_output: true }],
    ['that never comes', { messages: said('repeat: cat'), stop: ['catx', 'dog'] }],
  ])('says the same as a whole one when a text stops it %s', async (_, fields) => {
    const asked = { temperature: 0, logprobs: true, return_token_ids: true, max_tokens: 40, ...fields };
    const whole = (await gateway.answer(asked)).choices[0]!;
    expect(joined(await gateway.chunks(asked))).toEqual(ofWhole(whole));
    const stops = [(fields as { stop: string | string[] }).stop].flat();
    if (whole.stop_reason !== undefined) expect(stops).toContain(whole.stop_reason);
  });

  it('returns the stop string and ends before it', async () => {
    const stopped = async (fields: object) => {
      const { message, finish_reason, stop_reason } = (await gateway.answer({ temperature: 0, ...fields })).choices[0]!;
      return [message.content, finish_reason, stop_reason];
    };
    expect(await stopped({ ...BANANA, stop: ['zz', 'nan'] })).toEqual(['ba', 'stop', 'nan']);
    expect(await stopped({ ...BANANA, stop: 'nan', include_stop_str_in_output: true })).toEqual([
      'banan',
      'stop',
      'nan',
    ]);
    expect(await stopped(BANANA)).toEqual(['banana', 'stop', undefined]);
  });

  it('stops at multi-byte characters without splitting them', async () => {
    const text = 'aéü🦜z';
    const fields = { temperature: 0, structured_outputs: { choice: [text] }, logprobs: true, return_token_ids: true };
    for (const stop of [undefined, 'é', 'éü', '🦜', 'ü🦜z']) {
      const asked = { ...fields, ...(stop && { stop }) };
      const whole = await gateway.answer(asked);
      const chunks = await gateway.chunks(asked);
      expect(textOf(whole)).toBe(stop ? text.slice(0, text.indexOf(stop)) : text);
      expect(joined(chunks)).toEqual(ofWhole(whole.choices[0]!));
      for (const { choices } of chunks) expect(choices[0]?.delta.content ?? '').not.toContain('\ufffd');
    }
  });

  it('ends with the usage on request', async () => {
    const usageOf = async (stream_options: object) => (await gateway.chunks({ ...COUNT, stream_options })).at(-1)!;
    for (const options of [{}, { include_usage: true }, { continuous_usage_stats: false }]) {
      const { choices, usage } = await usageOf(options);
      expect(choices).toEqual([]);
      expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
      expect({ ...usage }).toEqual((await gateway.answer(COUNT)).usage);
    }
    const without = await gateway.chunks({ ...COUNT, stream_options: { include_usage: false } });
    expect(without.filter((chunk) => chunk.usage)).toEqual([]);
  });

  it('requests usage from the upstream, and returns it only on request', async () => {
    const plain = await gateway.chunks({ model: 'ok' });
    expect(plain.filter(({ choices, usage }) => usage || choices.length === 0)).toEqual([]);
    expect(gateway.fake.lastJson().stream_options).toEqual({ include_usage: true });
    const asked = await gateway.chunks({ model: 'ok', stream_options: {} });
    expect(asked.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 18 } });
  });

  it('has the usage so far in every frame', async () => {
    const stream_options = { include_usage: true, continuous_usage_stats: true };
    const chunks = await gateway.chunks({ ...COUNT, stream_options });
    const completion = chunks.map(({ usage }) => usage!.completion_tokens);
    expect(completion[0]).toBe(0);
    expect(completion).toEqual([...completion].sort((a, b) => a - b));
    expect(chunks.at(-1)!.usage).toEqual(chunks.at(-2)!.usage);
    expect(chunks.at(-1)!.usage).toEqual((await gateway.answer(COUNT)).usage);
  });

  it('separates three choices', async () => {
    const fields = { messages: said('hello'), n: 3, seed: 11, temperature: 2, max_tokens: 10 };
    const chunks = await gateway.chunks({ ...fields, stream_options: {} });
    const whole = await gateway.answer(fields);
    const parts = chunks.flatMap(({ choices }) => choices);
    expect(chunks.every(({ choices }) => choices.length <= 1)).toBe(true);
    for (const index of [0, 1, 2]) {
      const own = parts.filter((part) => part.index === index);
      expect(own[0]!.delta).toEqual({ role: 'assistant', content: '' });
      expect(own.filter(({ delta }) => delta.role).length).toBe(1);
      expect(own.filter(({ finish_reason }) => finish_reason).length).toBe(1);
      expect(own.at(-1)!.finish_reason).not.toBeNull();
      expect(joined(chunks, index)).toEqual(ofWhole(whole.choices[index]!));
    }
    expect(chunks.at(-1)!.usage).toEqual(whole.usage);
    expect(new Set(whole.choices.map((choice) => choice.message.content)).size).toBeGreaterThan(1);
  });

  it('has the same head in every frame, and data lines only', async () => {
    const { text, headers } = await gateway.ask({ ...COUNT, stream: true, stream_options: {} });
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'hone-model': 'hone-tiny',
      'hone-attempts': '1',
    });
    const lines = text.split('\n\n');
    expect(lines.splice(-2)).toEqual(['data: [DONE]', '']);
    const head =
      /^data: (\{"id":"chatcmpl-[^"]+","object":"chat\.completion\.chunk","created":\d+,"model":"hone-tiny","system_fingerprint":"fp_[0-9a-f]{12}"),"choices":/;
    expect(new Set(lines.map((line) => head.exec(line)?.[1])).size).toBe(1);
    expect(head.test(lines[0]!)).toBe(true);
  });

  it('reads text that looks like protocol as text', async () => {
    const hostile = await gateway.chunks({ model: 'ok+hostile' });
    const content = joined(hostile).content;
    expect(content.match(/\n\ndata: \[DONE\]\n\n"finish_reason":"stop"\}\]\}/g)).toHaveLength(8);
    expect(joined(hostile).finish_reason).toBe('stop');
    expect(textOf(await gateway.answer({ model: 'ok+hostile' }))).toBe(content);
    const text = '\n\ndata: [DONE]\n\n"finish_reason":"stop"';
    const chosen = { structured_outputs: { choice: [text] } };
    expect(joined(await gateway.chunks(chosen))).toMatchObject({ content: text, finish_reason: 'stop' });
    expect((await gateway.answer({ messages: said(text) })).choices).toHaveLength(1);
  });
});
