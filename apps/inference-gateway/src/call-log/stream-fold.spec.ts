import { StreamFold } from './stream-fold.js';

const frame = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const HEAD = { id: 'c1', object: 'chat.completion.chunk', created: 7, model: 'm' };
const chunk = (delta: object, more: object = {}, index = 0) =>
  frame({ ...HEAD, choices: [{ index, delta, logprobs: null, finish_reason: null, ...more }] });
const START = chunk({ role: 'assistant', content: '' });
const END = chunk({}, { finish_reason: 'stop' }) + frame('[DONE]');

/** The answer of frames that come `size` bytes of frames at a time. */
function folded(frames: string[], size = 1): { choices: { message: Record<string, unknown> }[] } {
  const fold = new StreamFold();
  for (let at = 0; at < frames.length; at += size) fold.push(Buffer.from(frames.slice(at, at + size).join('')));
  return JSON.parse(JSON.stringify(fold.answer()));
}
const contentOf = (frames: string[], size?: number) =>
  folded([START, ...frames, END], size).choices.map(({ message }) => message['content']);

describe('StreamFold', () => {
  const words = ['The', ' quick', ' "fox"', ' says\n', '\\', ' é', ' 🦊', '', ' \u0001', ' end', '.'];
  const many = Array.from({ length: 40 }, (_, at) => words[at % words.length] as string);

  it.each([1, 3, 100])('joins texts of any kind, %d frames at a time', (size) => {
    expect(
      contentOf(
        many.map((content) => chunk({ content })),
        size,
      ),
    ).toEqual([many.join('')]);
    const spaced = many.map(
      (content) => `data: {"choices": [{"index": 0, "delta": {"content": ${JSON.stringify(content)}}}]}\n\n`,
    );
    expect(contentOf(spaced, size)).toEqual([many.join('')]);
  });

  it('keeps the texts of choices apart', () => {
    const turns = many.flatMap((content) => [chunk({ content }), chunk({ content: `${content}!` }, {}, 1)]);
    expect(contentOf(turns)).toEqual([many.join(''), many.map((content) => `${content}!`).join('')]);
  });

  it('keeps what comes beside a text, also where it is the same each time', () => {
    const frames = many.map((content) =>
      chunk({ content }, { token_ids: [7], logprobs: { content: [{ token: 'x' }] } }),
    );
    const [choice] = folded([START, ...frames, END]).choices as { token_ids?: number[]; logprobs?: { content: [] } }[];
    expect(choice?.token_ids).toHaveLength(40);
    expect(choice?.logprobs?.content).toHaveLength(40);
    const thoughts = many.map((content) => chunk({ content, reasoning: 'so' }));
    expect(folded([START, ...thoughts, END]).choices[0]?.message).toMatchObject({ reasoning: 'so'.repeat(40) });
  });

  it('is not misled by a text that looks like a frame', () => {
    const texts = ['"content":"', 'a","b":"', '"}}]}', '{"content":"x"}', '\\"content\\":'];
    const frames = Array.from({ length: 30 }, (_, at) => chunk({ content: texts[at % texts.length] }));
    expect(contentOf(frames)).toEqual([Array.from({ length: 30 }, (_, at) => texts[at % texts.length]).join('')]);
    const nested = { ...HEAD, note: { content: 'x' }, choices: [{ index: 0, delta: { content: 'y' } }] };
    for (const key of ['"content" :', '"\\u0063ontent":']) {
      const spelled = JSON.stringify(nested).replace('"content":"y"', `${key}"y"`);
      expect(contentOf(Array.from({ length: 20 }, () => frame(spelled)))).toEqual(['y'.repeat(20)]);
    }
    const other = chunk({ note: { content: 'x' }, content: 'y' });
    expect(contentOf(Array.from({ length: 20 }, () => other))).toEqual(['y'.repeat(20)]);
  });

  const part = (id: string | null, name: string | null, args: string, more: object = {}) =>
    chunk({ tool_calls: [{ ...more, id, type: 'function', function: { name, arguments: args } }] });
  const called = (id: string, name: string, args: string) => ({
    ...{ id, type: 'function' },
    function: { name, arguments: args },
  });
  const callsOf = (frames: string[]) => folded([START, ...frames, END]).choices[0]?.message['tool_calls'];

  it.each([
    ['of indexes of their own', { index: 0 }, { index: 1 }],
    ['under one index', { index: 0 }, { index: 0 }],
    ['without an index', {}, {}],
  ])('keeps two tool calls %s apart', (_, one, other) => {
    const frames = [
      ...[part('a', 'f', '', one), part(null, null, '{"x":', one), part(null, null, '1}', one)],
      ...[part('b', 'f', '{', other), part(null, null, '}', other)],
    ];
    expect(callsOf(frames)).toEqual([called('a', 'f', '{"x":1}'), called('b', 'f', '{}')]);
  });

  it('joins the parts of one call that say its id and name again', () => {
    const [one, again] = [part('a', 'f', '{', { index: 0 }), part('a', 'f', '}', { index: 0 })];
    expect(callsOf([one, again])).toEqual([called('a', 'f', '{}')]);
    const unnamed = part('z', null, '}', { index: 0 });
    expect(callsOf([one, unnamed])).toMatchObject([{ function: { name: 'f', arguments: '{}' } }]);
  });

  it('keeps calls of several indexes that come in turns', () => {
    const frames = [part('a', 'f', '{', { index: 0 }), part('b', 'g', '[', { index: 1 })];
    const ends = [part(null, null, '}', { index: 0 }), part(null, null, ']', { index: 1 })];
    expect(callsOf([...frames, ...ends])).toEqual([called('a', 'f', '{}'), called('b', 'g', '[]')]);
  });

  it('has what else a stream says', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const last = frame({ ...HEAD, choices: [], usage });
    const answer = folded([START, chunk({ content: 'a' }), chunk({ content: 'b' }), last, END]);
    expect(answer).toEqual({
      ...{ ...HEAD, object: 'chat.completion', usage },
      choices: [{ index: 0, message: { role: 'assistant', content: 'ab' }, logprobs: null, finish_reason: 'stop' }],
    });
    expect(new StreamFold().answer()).toBeNull();
  });
});
