import { JoinedFrames } from './joined-frames.js';

const frame = (json: object) => `data: ${JSON.stringify(json)}\n\n`;
const chunk = (content: string, more: object = {}) => ({
  ...{ id: 'x', created: 5, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] },
  ...more,
});
const read = (bytes: Buffer) =>
  bytes
    .toString()
    .split('\n\n')
    .filter((text) => text.startsWith('data: {'))
    .map((text) => JSON.parse(text.slice('data: '.length)) as Record<string, unknown>);

describe('one stream of several', () => {
  it('gives each frame the index of its choice, and the head of the first', () => {
    const frames = new JoinedFrames();
    frames.push(0, Buffer.from(frame(chunk('a'))));
    const [second] = read(frames.push(2, Buffer.from(frame(chunk('b', { id: 'y', created: 6, model: 'z', more: 1 })))));
    expect(second).toEqual({
      ...chunk('b'),
      more: 1,
      choices: [{ index: 2, delta: { content: 'b' }, finish_reason: null }],
    });
  });

  it('has the usage so far of all choices where frames have that of one', () => {
    const frames = new JoinedFrames();
    const usage = (tokens: number) => ({ prompt_tokens: 9, completion_tokens: tokens, total_tokens: 9 + tokens });
    frames.push(0, Buffer.from(frame(chunk('a', { usage: usage(1) }))));
    frames.push(0, Buffer.from(frame(chunk('a', { usage: usage(2) }))));
    const [last] = read(frames.push(1, Buffer.from(frame(chunk('b', { usage: usage(5) })))));
    expect(last).toMatchObject({ usage: { prompt_tokens: 18, completion_tokens: 7, total_tokens: 25 } });
    const [odd] = read(frames.push(1, Buffer.from(frame(chunk('b', { usage: { prompt_tokens: 'many' } })))));
    expect(odd).toMatchObject({ usage: { prompt_tokens: 9, completion_tokens: 2 } });
  });

  it('leaves out what ends the stream of one choice, and comments', () => {
    const frames = new JoinedFrames();
    const rest = `${frame({ id: 'x', choices: [], usage: { prompt_tokens: 1 } })}: wait\n\ndata: [DONE]\n\n`;
    expect(frames.push(0, Buffer.from(rest))).toHaveLength(0);
    expect(frames.end(null).toString()).toBe('data: [DONE]\n\n');
  });
});
