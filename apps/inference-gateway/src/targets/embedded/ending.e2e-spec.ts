import { ask, type Fields, joined, ofWhole, said, stream, useBundledTarget } from './embedded.fixture.js';

describe('EmbeddedTarget: how answers end', () => {
  const target = useBundledTarget();
  const TEXT = 'Hello! How can I help you?';
  /** The model is held to one text, so that what it has learned is of no importance. */
  const HELLO = { messages: said('hello'), temperature: 0, structured_outputs: { choice: [TEXT] } };
  const FREE = { structured_outputs: null };
  const both = async (fields: Fields) => {
    const asked = { ...HELLO, logprobs: true, return_token_ids: true, ...fields };
    const whole = ofWhole((await ask(target(), asked)).choices[0]!);
    expect(joined(await stream(target(), asked))).toEqual(whole);
    return whole;
  };

  it('gives this answer without any limit', async () => {
    expect(await both({})).toMatchObject({ content: TEXT, finish_reason: 'stop' });
  });

  it.each<[string, Fields, object]>([
    ['a stop string within a token', { stop: ['ell'] }, { content: 'H', stop_reason: 'ell' }],
    ['a stop string across tokens', { stop: ['lo! How can'] }, { content: 'Hel', stop_reason: 'lo! How can' }],
    ['a single stop string', { stop: 'can' }, { content: 'Hello! How ', stop_reason: 'can' }],
    [
      'a stop string that is part of the answer',
      { stop: ['can'], include_stop_str_in_output: true },
      { content: 'Hello! How can', stop_reason: 'can' },
    ],
    ['a stop string that never comes', { stop: ['can we'] }, { content: TEXT }],
    [
      'a stop string before the least length',
      { stop: ['H'], min_tokens: 5 },
      { content: TEXT, stop_reason: undefined },
    ],
  ])('ends at %s, streamed and whole', async (_, fields, expected) => {
    expect(await both(fields)).toMatchObject({ finish_reason: 'stop', ...expected });
  });

  it('ends at a stop string of characters of two bytes', async () => {
    const messages = said('repeat: éé');
    const plain = await both({ messages, structured_outputs: { choice: ['aéüéz'] } });
    expect(plain.content).toBe('aéüéz');
    const cut = await both({ messages, structured_outputs: { choice: ['aéüéz'] }, stop: ['üé'] });
    expect(cut).toMatchObject({ content: 'aé', stop_reason: 'üé' });
  });

  it('ends at a stop token and returns it', async () => {
    const { ids } = await both({});
    expect(await both({ stop_token_ids: [ids[2]!] })).toMatchObject({ stop_reason: ids[2], ids: ids.slice(0, 3) });
  });

  it('ends at the token limit; max_completion_tokens takes precedence', async () => {
    expect(await both({ max_tokens: 1 })).toMatchObject({ finish_reason: 'length', stop_reason: undefined });
    expect((await both({ max_tokens: 5, max_completion_tokens: 2 })).ids).toHaveLength(2);
  });

  it('ignores the end token up to the context length', async () => {
    const { usage, choices } = await ask(target(), { ...HELLO, ...FREE, ignore_eos: true, max_tokens: 5_000 });
    expect(usage.total_tokens).toBe(1024);
    expect(choices[0]!.finish_reason).toBe('length');
  });

  it('continues up to min_tokens', async () => {
    expect((await both({ ...FREE, min_tokens: 30, max_tokens: 40 })).ids.length).toBeGreaterThanOrEqual(30);
  });

  it('ends a repetitive answer', async () => {
    const repetition_detection = { max_pattern_size: 2, min_pattern_size: 1, min_count: 4 };
    const end = await both({ ...FREE, allowed_token_ids: [100], repetition_detection });
    expect(end).toMatchObject({ finish_reason: 'stop', stop_reason: 'repetition_detected' });
    expect(end.ids).toEqual([100, 100, 100, 100]);
  });

  it('returns the end token when special tokens and the stop are included', async () => {
    const shown = await both({ skip_special_tokens: false, include_stop_str_in_output: true });
    expect(shown.content).toBe(`${TEXT}<|end|>`);
  });
});
